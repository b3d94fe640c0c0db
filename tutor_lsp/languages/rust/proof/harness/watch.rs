// Put at the end of a test file in a hidden copy, where it looks at what the code comes to.
#[allow(dead_code, unused_imports, unused_macros, unused_mut, clippy::all, clippy::pedantic)]
mod tutor_watch {
    use std::cell::RefCell;
    use std::collections::{HashMap, HashSet};
    use std::fmt::Debug;
    use std::panic::{catch_unwind, set_hook, AssertUnwindSafe};
    use std::sync::mpsc::channel;
    use std::time::Duration;

    const LIMIT: Duration = Duration::from_millis(700);
    const ENDLESS: usize = 3;
    const LONG: usize = 240;

    thread_local! {
        static SEEN: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
    }

    pub struct Told<'a, T: ?Sized>(pub &'a T);

    /// The first of these traits that a value has says what it is.
    pub trait InOrder {
        fn said(&self) -> String;
    }
    impl<K: Debug, V: Debug, S> InOrder for &Told<'_, HashMap<K, V, S>> {
        fn said(&self) -> String {
            let mut pairs: Vec<String> = self.0.iter().map(|(k, v)| format!("{k:?}: {v:?}")).collect();
            pairs.sort();
            format!("{{{}}}", pairs.join(", "))
        }
    }
    impl<T: Debug, S> InOrder for &Told<'_, HashSet<T, S>> {
        fn said(&self) -> String {
            let mut items: Vec<String> = self.0.iter().map(|item| format!("{item:?}")).collect();
            items.sort();
            format!("{{{}}}", items.join(", "))
        }
    }
    pub trait Shown {
        fn said(&self) -> String;
    }
    impl<T: Debug + ?Sized> Shown for &&Told<'_, T> {
        fn said(&self) -> String {
            format!("{:?}", self.0)
        }
    }
    pub trait Hidden {
        fn said(&self) -> String;
    }
    impl<T: ?Sized> Hidden for Told<'_, T> {
        fn said(&self) -> String {
            "…".to_string()
        }
    }

    pub fn see(look: Box<dyn FnOnce() -> String + '_>) {
        let said = match catch_unwind(AssertUnwindSafe(look)) {
            Ok(said) => format!("= {said}"),
            Err(_) => "! panic".to_string(),
        };
        SEEN.with(|seen| seen.borrow_mut().push(said));
    }

    pub fn after(name: &str, look: Box<dyn FnOnce() -> String + '_>) {
        if let Ok(said) = catch_unwind(AssertUnwindSafe(look)) {
            SEEN.with(|seen| seen.borrow_mut().push(format!("{name} {said}")));
        }
    }

    fn one_line(said: String) -> String {
        let line = said.replace('\n', "\\n").replace('\r', "\\r");
        let count = line.chars().count();
        if count <= LONG {
            return line;
        }
        let mark = line.bytes().fold(0x811c_9dc5_u32, |mark, byte| (mark ^ u32::from(byte)).wrapping_mul(16_777_619));
        format!("{}…#{mark:08x}", line.chars().take(LONG - 12).collect::<String>())
    }

    fn case(test: fn()) -> String {
        let (send, receive) = channel();
        let _ = std::thread::Builder::new().stack_size(16 << 20).spawn(move || {
            let ended = catch_unwind(test);
            let mut seen = SEEN.with(|seen| seen.take());
            if ended.is_err() {
                seen.push("! panic".to_string());
            }
            let _ = send.send(seen.join(" | "));
        });
        match receive.recv_timeout(LIMIT) {
            Ok(said) if said.starts_with("= ") || said.starts_with("! ") => one_line(said),
            Ok(said) => one_line(format!("= | {said}")),
            Err(_) => "~".to_string(),
        }
    }

    /// Print what each case comes to, a line for each. One that ends the process, as running out of
    /// stack does, has its mark beforehand.
    pub fn watch(cases: &[fn()]) {
        use std::io::Write;
        set_hook(Box::new(|_| {}));
        let mut endless = 0;
        for (number, test) in cases.iter().copied().enumerate() {
            print!("tutor-probe {number} ! crash");
            let _ = std::io::stdout().flush();
            let said = case(test);
            println!("\ntutor-probe {number} {said}");
            endless += usize::from(said == "~");
            if endless == ENDLESS {
                break;
            }
        }
    }
}
