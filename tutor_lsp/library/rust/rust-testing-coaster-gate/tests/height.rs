// `read_height(text)` reads what the measuring post prints: `read_height("135 cm")` is `Ok(135)`.
// A text that does not end in " cm" is `Err(Misread::Unit)`. One that does, with no whole number
// before it, is `Err(Misread::Number)`. It stands in src/height.rs, and its tests go here.
//
// ex-4 - First principle: an error is part of the promise
// Read: LESSON.md, "Tests of what goes wrong"
// Test: test_read_height_accepts_right_programs
// Start here: which texts should a gate not take for a height, and why?
