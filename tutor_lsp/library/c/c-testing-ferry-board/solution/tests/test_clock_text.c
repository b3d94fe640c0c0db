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
#include "clock_text.h"
#include "test.h"

void test_clock_text_has_two_digits_each(void)
{
    char text[16] = "---------------";
    TEST_ASSERT_STR_EQ("07:45", clock_text(465, text, sizeof text));
    TEST_ASSERT_STR_EQ("23:05", clock_text(1385, text, sizeof text));
}

void test_clock_text_ends_in_a_used_buffer(void)
{
    char text[16] = "---------------";
    TEST_ASSERT_STR_EQ("23:45", clock_text(1425, text, sizeof text));
}

void test_clock_text_fits_exactly(void)
{
    char text[6] = "-----";
    TEST_ASSERT_STR_EQ("23:45", clock_text(1425, text, sizeof text));
}

void test_clock_text_is_empty_without_room(void)
{
    char text[5] = "----";
    TEST_ASSERT_STR_EQ("", clock_text(1425, text, sizeof text));
}

int main(void)
{
    RUN_TEST(test_clock_text_has_two_digits_each);
    RUN_TEST(test_clock_text_ends_in_a_used_buffer);
    RUN_TEST(test_clock_text_fits_exactly);
    RUN_TEST(test_clock_text_is_empty_without_room);
    TEST_SUMMARY();
}
