#include "next_departure.h"
#include "test.h"

void test_next_departure_is_the_first_that_is_left(void)
{
    const int times[] = {360, 480, 1080};
    TEST_ASSERT_EQ(480, next_departure(times, 3, 400));
    TEST_ASSERT_EQ(480, next_departure(times, 3, 480));
    TEST_ASSERT_EQ(360, next_departure(times, 3, 0));
    TEST_ASSERT_EQ(1080, next_departure(times, 3, 1000));
}

void test_next_departure_looks_at_the_given_times_only(void)
{
    const int times[] = {360, 480, 1080};
    TEST_ASSERT_EQ(-1, next_departure(times, 2, 500));
}

void test_next_departure_is_none_after_the_last(void)
{
    const int times[] = {360, 480, 1080};
    TEST_ASSERT_EQ(-1, next_departure(times, 3, 1100));
    TEST_ASSERT_EQ(-1, next_departure(times, 0, 300));
}

int main(void)
{
    RUN_TEST(test_next_departure_is_the_first_that_is_left);
    RUN_TEST(test_next_departure_looks_at_the_given_times_only);
    RUN_TEST(test_next_departure_is_none_after_the_last);
    TEST_SUMMARY();
}
