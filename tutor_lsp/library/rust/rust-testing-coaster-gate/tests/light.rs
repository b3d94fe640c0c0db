use exercise::light::{Light, opens, shown};

#[test]
fn test_light_is_green_with_a_free_seat() {
    assert_eq!(shown(true, 2), Light::Green);
    assert_eq!(shown(true, 1), Light::Green);
}

#[test]
fn test_light_is_yellow_for_a_full_train() {
    assert_eq!(shown(true, 0), Light::Yellow);
    assert_eq!(shown(false, 0), Light::Red);
    assert_eq!(shown(false, 6), Light::Red);
}

#[test]
fn test_light_opens_the_gate_if_green() {
    assert!(opens(&Light::Green));
    assert!(!opens(&Light::Yellow));
    assert!(!opens(&Light::Red));
    assert_eq!(format!("{:?}", Light::Red), "Red");
}
