/*
 * Test src/until.c: `minutes_until(1430, 10)` is 20, the minutes from `now` to
 * a departure. Both are minutes of a day, 0 to 1439. A departure before `now`
 * is tomorrow's; one at `now` is a wait of 0.
 *
 * ex-3 - First principle: mistakes live at the edges of a contract
 * Read: LESSON.md, "At the edges"
 * Test: test_minutes_until_accepts_right_programs
 * Start here: which two times are as close as can be, before and after `now`?
 */
