#include "gauge.h"
#include "test.h"

void test_gauge_counts_its_readings(void)
{
    struct gauge gauge = {0};
    TEST_ASSERT_EQ(0, gauge.count);
    gauge_add(&gauge, 21);
    gauge_add(&gauge, 21);
    const size_t count = gauge.count;
    TEST_ASSERT_EQ(2, count);
}

void test_gauge_keeps_lowest_and_highest(void)
{
    struct gauge gauge = {0};
    gauge_add(&gauge, 9);
    gauge_add(&gauge, -4);
    gauge_add(&gauge, 3);
    TEST_ASSERT_EQ(-4, gauge.lowest);
    TEST_ASSERT_EQ(9, gauge.highest);
}

void test_gauge_takes_the_first_reading_as_it_is(void)
{
    struct gauge frost = {0};
    struct gauge heat = {0};
    gauge_add(&frost, -8);
    gauge_add(&heat, 8);
    TEST_ASSERT_EQ(-8, frost.highest);
    TEST_ASSERT_EQ(8, heat.lowest);
}

void test_gauge_tells_its_spread(void)
{
    struct gauge gauge = {0};
    TEST_ASSERT_EQ(0, gauge_spread(&gauge));
    gauge_add(&gauge, -4);
    TEST_ASSERT_EQ(0, gauge_spread(&gauge));
    gauge_add(&gauge, 9);
    TEST_ASSERT_EQ(13, gauge_spread(&gauge));
    TEST_ASSERT_EQ(2, gauge.count);
}

int main(void)
{
    RUN_TEST(test_gauge_counts_its_readings);
    RUN_TEST(test_gauge_keeps_lowest_and_highest);
    RUN_TEST(test_gauge_takes_the_first_reading_as_it_is);
    RUN_TEST(test_gauge_tells_its_spread);
    TEST_SUMMARY();
}
