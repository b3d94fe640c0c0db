#include <limits.h>

#include "test.h"
#include "timer.h"

void test_to_seconds_counts_sixty_for_each_minute(void)
{
    TEST_ASSERT_EQ(60, to_seconds(1, 0));
    TEST_ASSERT_EQ(720, to_seconds(12, 0));
}

void test_to_seconds_adds_the_seconds(void)
{
    TEST_ASSERT_EQ(125, to_seconds(2, 5));
    TEST_ASSERT_EQ(59, to_seconds(0, 59));
}

void test_on_display_puts_minutes_before_seconds(void)
{
    TEST_ASSERT_EQ(5959, on_display(3599));
    TEST_ASSERT_EQ(1230, on_display(750));
}

void test_on_display_gives_seconds_two_digits(void)
{
    TEST_ASSERT_EQ(205, on_display(125));
    TEST_ASSERT_EQ(100, on_display(60));
}

void test_on_display_under_a_minute_is_the_seconds(void)
{
    TEST_ASSERT_EQ(59, on_display(59));
    TEST_ASSERT_EQ(7, on_display(7));
}

void test_tick_takes_one_second_off(void)
{
    TEST_ASSERT_EQ(124, tick(125));
    TEST_ASSERT_EQ(59, tick(60));
}

void test_tick_stays_at_zero(void)
{
    TEST_ASSERT_EQ(1, tick(2));
    TEST_ASSERT_EQ(0, tick(1));
    TEST_ASSERT_EQ(0, tick(0));
}

void test_add_time_makes_the_time_longer(void)
{
    TEST_ASSERT_EQ(150, add_time(120, 30));
    TEST_ASSERT_EQ(30, add_time(0, 30));
}

void test_add_time_stops_at_the_longest_time(void)
{
    TEST_ASSERT_EQ(LONGEST_TIME, add_time(5990, 9));
    TEST_ASSERT_EQ(LONGEST_TIME, add_time(5990, 10));
    TEST_ASSERT_EQ(LONGEST_TIME, add_time(LONGEST_TIME, 30));
}

void test_add_time_withstands_a_huge_number(void)
{
    TEST_ASSERT_EQ(LONGEST_TIME, add_time(10, UINT_MAX));
    TEST_ASSERT_EQ(LONGEST_TIME, add_time(LONGEST_TIME, UINT_MAX - 100));
}

void test_after_start_shows_the_first_second_gone(void)
{
    TEST_ASSERT_EQ(159, after_start(2, 0, 0));
    TEST_ASSERT_EQ(1204, after_start(12, 5, 0));
}

void test_after_start_adds_the_extra_seconds(void)
{
    TEST_ASSERT_EQ(229, after_start(2, 0, 30));
    TEST_ASSERT_EQ(29, after_start(0, 0, 30));
}

void test_after_start_stays_at_zero(void)
{
    TEST_ASSERT_EQ(1, after_start(0, 2, 0));
    TEST_ASSERT_EQ(0, after_start(0, 0, 0));
}

void test_after_start_ticks_down_from_the_longest_time(void)
{
    TEST_ASSERT_EQ(9958, after_start(99, 30, 60));
    TEST_ASSERT_EQ(9958, after_start(2, 0, UINT_MAX));
}

int main(void)
{
    RUN_TEST(test_to_seconds_counts_sixty_for_each_minute);
    RUN_TEST(test_to_seconds_adds_the_seconds);
    RUN_TEST(test_on_display_puts_minutes_before_seconds);
    RUN_TEST(test_on_display_gives_seconds_two_digits);
    RUN_TEST(test_on_display_under_a_minute_is_the_seconds);
    RUN_TEST(test_tick_takes_one_second_off);
    RUN_TEST(test_tick_stays_at_zero);
    RUN_TEST(test_add_time_makes_the_time_longer);
    RUN_TEST(test_add_time_stops_at_the_longest_time);
    RUN_TEST(test_add_time_withstands_a_huge_number);
    RUN_TEST(test_after_start_shows_the_first_second_gone);
    RUN_TEST(test_after_start_adds_the_extra_seconds);
    RUN_TEST(test_after_start_stays_at_zero);
    RUN_TEST(test_after_start_ticks_down_from_the_longest_time);
    TEST_SUMMARY();
}
