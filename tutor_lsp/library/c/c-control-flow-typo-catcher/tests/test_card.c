#include <limits.h>

#include "card.h"
#include "test.h"

void test_last_digit_is_the_one_on_the_right(void)
{
    TEST_ASSERT_EQ(7, last_digit(4117));
    TEST_ASSERT_EQ(0, last_digit(40));
    TEST_ASSERT_EQ(9, last_digit(9));
}

void test_last_digit_of_a_long_number(void)
{
    TEST_ASSERT_EQ(4, last_digit(12345678901234567894ull));
}

void test_doubled_of_a_small_digit_is_twice_as_much(void)
{
    TEST_ASSERT_EQ(0, doubled(0));
    TEST_ASSERT_EQ(6, doubled(3));
    TEST_ASSERT_EQ(8, doubled(4));
}

void test_doubled_of_a_large_digit_is_nine_less(void)
{
    TEST_ASSERT_EQ(1, doubled(5));
    TEST_ASSERT_EQ(5, doubled(7));
    TEST_ASSERT_EQ(9, doubled(9));
}

void test_digit_count_counts_every_digit(void)
{
    TEST_ASSERT_EQ(1, digit_count(9));
    TEST_ASSERT_EQ(2, digit_count(10));
    TEST_ASSERT_EQ(16, digit_count(4111111111111111ull));
}

void test_digit_count_of_zero_is_one(void)
{
    TEST_ASSERT_EQ(1, digit_count(0));
}

void test_digit_count_of_the_largest_number(void)
{
    TEST_ASSERT_EQ(20, digit_count(ULLONG_MAX));
}

void test_luhn_sum_of_one_digit_is_the_digit(void)
{
    TEST_ASSERT_EQ(7, luhn_sum(7));
    TEST_ASSERT_EQ(0, luhn_sum(0));
}

void test_luhn_sum_doubles_every_second_digit(void)
{
    TEST_ASSERT_EQ(10, luhn_sum(18));
    TEST_ASSERT_EQ(5, luhn_sum(70));
    TEST_ASSERT_EQ(30, luhn_sum(4111111111111111ull));
}

void test_luhn_sum_counts_from_the_right(void)
{
    TEST_ASSERT_EQ(12, luhn_sum(184));
    TEST_ASSERT_EQ(70, luhn_sum(79927398713ull));
}

void test_is_card_accepts_a_number_without_typo(void)
{
    TEST_ASSERT_EQ(true, is_card(4111111111111111ull));
    TEST_ASSERT_EQ(true, is_card(5500005555555559ull));
}

void test_is_card_notices_one_wrong_digit(void)
{
    TEST_ASSERT_EQ(true, is_card(4111111111111111ull));
    TEST_ASSERT_EQ(false, is_card(4111111111111112ull));
    TEST_ASSERT_EQ(false, is_card(4111111111111211ull));
}

void test_is_card_notices_two_swapped_digits(void)
{
    TEST_ASSERT_EQ(true, is_card(4012888888881881ull));
    TEST_ASSERT_EQ(false, is_card(4021888888881881ull));
}

void test_is_card_minds_the_length(void)
{
    TEST_ASSERT_EQ(true, is_card(506000000048ull));
    TEST_ASSERT_EQ(false, is_card(79927398713ull));
    TEST_ASSERT_EQ(true, is_card(6304000000000000000ull));
    TEST_ASSERT_EQ(false, is_card(12345678901234567894ull));
}

int main(void)
{
    RUN_TEST(test_last_digit_is_the_one_on_the_right);
    RUN_TEST(test_last_digit_of_a_long_number);
    RUN_TEST(test_doubled_of_a_small_digit_is_twice_as_much);
    RUN_TEST(test_doubled_of_a_large_digit_is_nine_less);
    RUN_TEST(test_digit_count_counts_every_digit);
    RUN_TEST(test_digit_count_of_zero_is_one);
    RUN_TEST(test_digit_count_of_the_largest_number);
    RUN_TEST(test_luhn_sum_of_one_digit_is_the_digit);
    RUN_TEST(test_luhn_sum_doubles_every_second_digit);
    RUN_TEST(test_luhn_sum_counts_from_the_right);
    RUN_TEST(test_is_card_accepts_a_number_without_typo);
    RUN_TEST(test_is_card_notices_one_wrong_digit);
    RUN_TEST(test_is_card_notices_two_swapped_digits);
    RUN_TEST(test_is_card_minds_the_length);
    TEST_SUMMARY();
}
