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
#include "test.h"
#include "until.h"

void test_minutes_until_a_ferry_of_today(void)
{
    TEST_ASSERT_EQ(45, minutes_until(480, 525));
}

void test_minutes_until_a_ferry_past_midnight(void)
{
    TEST_ASSERT_EQ(20, minutes_until(1430, 10));
    TEST_ASSERT_EQ(1, minutes_until(1439, 0));
}

void test_minutes_until_a_ferry_that_leaves_now(void)
{
    TEST_ASSERT_EQ(0, minutes_until(480, 480));
}

void test_minutes_until_a_ferry_that_just_left(void)
{
    TEST_ASSERT_EQ(1439, minutes_until(486, 485));
    TEST_ASSERT_EQ(1439, minutes_until(480, 479));
}

int main(void)
{
    RUN_TEST(test_minutes_until_a_ferry_of_today);
    RUN_TEST(test_minutes_until_a_ferry_past_midnight);
    RUN_TEST(test_minutes_until_a_ferry_that_leaves_now);
    RUN_TEST(test_minutes_until_a_ferry_that_just_left);
    TEST_SUMMARY();
}
