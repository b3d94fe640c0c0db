#include "answers.h"
#include "old_board.h"
#include "test.h"

void test_morning_at_eight(void)
{
    TEST_ASSERT_EQ(minutes_left(480, 525), morning());
}

void test_midnight_at_ten_to_twelve(void)
{
    TEST_ASSERT_EQ(minutes_left(1430, 10), midnight());
}

int main(void)
{
    RUN_TEST(test_morning_at_eight);
    RUN_TEST(test_midnight_at_ten_to_twelve);
    TEST_SUMMARY();
}
