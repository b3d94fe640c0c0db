// `read_height(text)` reads what the measuring post prints: `read_height("135 cm")` is `Ok(135)`.
// A text that does not end in " cm" is `Err(Misread::Unit)`. One that does, with no whole number
// before it, is `Err(Misread::Number)`. It stands in src/height.rs, and its tests go here.
//
// ex-4 - First principle: an error is part of the promise
// Read: LESSON.md, "Tests of what goes wrong"
// Test: test_read_height_accepts_right_programs
// Start here: which texts should a gate not take for a height, and why?

use exercise::height::{Misread, read_height};

#[test]
fn test_a_height_is_read() {
    assert_eq!(read_height("135 cm"), Ok(135));
}

#[test]
fn test_without_the_unit() {
    assert_eq!(read_height("135"), Err(Misread::Unit));
}

#[test]
fn test_with_another_unit() {
    assert_eq!(read_height("53 in"), Err(Misread::Unit));
}

#[test]
fn test_without_a_number() {
    assert_eq!(read_height("tall cm"), Err(Misread::Number));
    assert_eq!(read_height(" cm"), Err(Misread::Number));
}
