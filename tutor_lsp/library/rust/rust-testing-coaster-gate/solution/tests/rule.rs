// `may_ride(cm, with_adult)` says who may ride: from 120 cm on alone, from 100 cm on with an
// adult, and above 195 cm nobody: `may_ride(110, true)` is `true`, and `may_ride(110, false)` is
// `false`. It stands in src/rule.rs, and its tests go here.
//
// ex-3 - First principle: an edge has two sides
// Read: LESSON.md, "Both sides of an edge"
// Test: test_may_ride_accepts_right_programs
// Start here: which heights are the last to be refused, or the first to ride?

use exercise::rule::may_ride;

#[test]
fn test_alone_from_120_on() {
    assert!(may_ride(120, false));
    assert!(!may_ride(119, false));
}

#[test]
fn test_with_an_adult_from_100_on() {
    assert!(may_ride(100, true));
    assert!(!may_ride(99, true));
}

#[test]
fn test_nobody_above_195() {
    assert!(may_ride(195, false));
    assert!(!may_ride(196, false));
    assert!(!may_ride(196, true));
}
