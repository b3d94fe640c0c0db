use exercise::answers::{minutes, trains};
use exercise::queue::{fill, wait};

#[test]
fn test_trains_for_three_groups() {
    assert_eq!(trains(), fill(&[4, 4, 4]));
}

#[test]
fn test_minutes_for_twenty_people() {
    assert_eq!(minutes(), wait(20));
}
