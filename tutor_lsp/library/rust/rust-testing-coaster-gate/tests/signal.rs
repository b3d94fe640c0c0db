use exercise::signal::{Signal, opens, shown};

#[test]
fn test_signal_is_green_with_a_free_seat() {
    assert_eq!(shown(true, 2), Signal::Green);
    assert_eq!(shown(true, 1), Signal::Green);
}

#[test]
fn test_signal_is_yellow_for_a_full_train() {
    assert_eq!(shown(true, 0), Signal::Yellow);
    assert_eq!(shown(false, 0), Signal::Red);
    assert_eq!(shown(false, 6), Signal::Red);
}

#[test]
fn test_signal_opens_the_gate_if_green() {
    assert!(opens(&Signal::Green));
    assert!(!opens(&Signal::Yellow));
    assert!(!opens(&Signal::Red));
    assert_eq!(format!("{:?}", Signal::Red), "Red");
}
