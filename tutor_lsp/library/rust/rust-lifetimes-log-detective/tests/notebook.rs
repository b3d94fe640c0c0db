use exercise::notebook::Notebook;

/// A notebook with the users of a log, each of which has a line of its own.
fn users<'log>(log: &'log str) -> Notebook<'log> {
    let mut book = Notebook::empty();
    for user in log.lines() {
        book.note(user);
    }
    book
}

#[test]
fn test_notebook_keeps_views_of_the_log() {
    let log = String::from("ada\nlin\ntom\n");
    let latest: Option<&str> = {
        let book: Notebook<'_> = users(&log);
        book.latest()
    };
    assert_eq!(latest, Some("tom"));
    let is_view = latest.map(str::as_ptr) == Some(log[8..].as_ptr());
    assert!(is_view, "what latest() gives is a copy, no view of the log");
}

#[test]
fn test_notebook_writes_each_name_once() {
    let log = String::from("ada lin");
    let mut book = Notebook::empty();
    let noted: [bool; 3] = [
        book.note(&log[..3]),
        book.note(&log[4..]),
        book.note(&log[..3]),
    ];
    assert_eq!(noted, [true, true, false]);
    assert_eq!(book.latest(), Some("lin"));
}

#[test]
fn test_notebook_tells_equal_names_by_their_letters() {
    let log = String::from("ada ada");
    let mut book = Notebook::empty();
    assert!(book.note(&log[..3]));
    assert!(!book.note(&log[4..]));
    assert_eq!((book.latest(), book.latest()), (Some("ada"), Some("ada")));
}

#[test]
fn test_notebook_without_names_has_no_latest() {
    let (none, one): (Notebook<'_>, Notebook<'_>) = (users(""), users("ada\nada"));
    assert_eq!((none.latest(), one.latest()), (None, Some("ada")));
}
