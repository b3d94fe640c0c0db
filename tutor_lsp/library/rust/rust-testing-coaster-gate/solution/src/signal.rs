// The signal at the gate. `shown(true, 2)`, for a train with 2 free seats, is `Signal::Green`.
// A full train gives `Signal::Yellow`, and none at all `Signal::Red`. `opens(&signal)` says whether
// the gate opens: for green alone. Callers may compare signals and print them.
//
// ex-2 - First principle: what is compared must be comparable
// Read: LESSON.md, "What a comparison needs"
// Test: test_signal_is_green_with_a_free_seat
// Start here: what can a `Signal` not do yet, says the compiler?

#[derive(Debug, PartialEq)]
pub enum Signal {
    Green,
    Yellow,
    Red,
}

pub fn shown(train: bool, free: u32) -> Signal {
    match (train, free) {
        (false, _) => Signal::Red,
        (true, 0) => Signal::Yellow,
        (true, _) => Signal::Green,
    }
}

pub fn opens(signal: &Signal) -> bool {
    *signal == Signal::Green
}
