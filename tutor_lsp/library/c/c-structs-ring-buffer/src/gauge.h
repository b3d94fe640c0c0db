/*
 * What a sensor has told so far, in whole degrees.
 * `struct gauge gauge = {0};` has heard of nothing. `gauge_add(&gauge, -4)`
 * takes a reading: `gauge.count` is how many there were, `gauge.lowest` and
 * `gauge.highest` are the least and the greatest of them.
 * `gauge_spread(&gauge)` is how far these two are apart, and 0 before the
 * first reading; it changes nothing. After -4 and 9 the members are 2, -4 and
 * 9, and the spread is 13.
 *
 * ex-6 - First principle: a type is its members and its functions
 * Read: LESSON.md, "A struct of your own"
 * Test: test_gauge_counts_its_readings
 * Start here: which values have to be kept from one reading to the next?
 */
