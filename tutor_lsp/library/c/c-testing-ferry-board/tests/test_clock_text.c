/*
 * Test src/clock_text.c: after `clock_text(1425, text, 6)`, `text` is "23:45".
 * A minute of the day, 0 to 1439, has two digits for the hour and two for the
 * rest. `text` is returned. It is empty if `size` bytes, 1 or more, are too few.
 *
 * ex-4 - First principle: a test begins with a buffer that was used before
 * Read: LESSON.md, "A buffer with a past"
 * Test: test_clock_text_accepts_right_programs
 * Start here: what is the smallest array that is large enough?
 */
