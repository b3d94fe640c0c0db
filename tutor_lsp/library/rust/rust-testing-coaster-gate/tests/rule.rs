// `may_ride(cm, with_adult)` says who may ride: from 120 cm on alone, from 100 cm on with an
// adult, and above 195 cm nobody: `may_ride(110, true)` is `true`, and `may_ride(110, false)` is
// `false`. It stands in src/rule.rs, and its tests go here.
//
// ex-3 - First principle: an edge has two sides
// Read: LESSON.md, "Both sides of an edge"
// Test: test_may_ride_accepts_right_programs
// Start here: which heights are the last to be refused, or the first to ride?
