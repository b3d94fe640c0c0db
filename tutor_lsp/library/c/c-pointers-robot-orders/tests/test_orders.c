#include "orders.h"
#include "test.h"

void test_at_end_is_true_on_the_zero(void)
{
    const char *text = "F10";
    TEST_ASSERT_EQ(true, at_end(text + 3));
    TEST_ASSERT_EQ(true, at_end(""));
}

void test_at_end_is_false_before_it(void)
{
    const char *text = "F10";
    TEST_ASSERT_EQ(false, at_end(text));
    TEST_ASSERT_EQ(false, at_end(text + 2));
    TEST_ASSERT_EQ(true, at_end(text + 3));
}

void test_skip_blanks_goes_to_the_first_other_byte(void)
{
    TEST_ASSERT_EQ("F10", skip_blanks("   F10"));
    TEST_ASSERT_EQ("F10 L90", skip_blanks(" F10 L90"));
    TEST_ASSERT_EQ("\tF10", skip_blanks(" \tF10"));
}

void test_skip_blanks_stays_where_no_blank_is(void)
{
    const char *text = "F10  L90";
    TEST_ASSERT_EQ(text, skip_blanks(text));
    TEST_ASSERT(skip_blanks(text) == text);
}

void test_skip_blanks_stops_at_the_end_of_the_text(void)
{
    TEST_ASSERT_EQ("", skip_blanks("   "));
    TEST_ASSERT_EQ("", skip_blanks(""));
}

void test_read_number_stores_the_number(void)
{
    int number = -1;
    read_number("90", &number);
    TEST_ASSERT_EQ(90, number);
    read_number("7 L90", &number);
    TEST_ASSERT_EQ(7, number);
    read_number("0", &number);
    TEST_ASSERT_EQ(0, number);
}

void test_read_number_returns_the_place_behind_it(void)
{
    int number = -1;
    TEST_ASSERT_EQ(" L90", read_number("10 L90", &number));
    TEST_ASSERT_EQ("x5", read_number("10x5", &number));
    TEST_ASSERT_EQ("", read_number("007", &number));
}

void test_read_number_needs_a_digit(void)
{
    int number = 5;
    TEST_ASSERT_EQ("", read_number("5", &number));
    TEST_ASSERT_EQ(NULL, read_number("", &number));
    TEST_ASSERT_EQ(NULL, read_number("x10", &number));
    TEST_ASSERT_EQ(NULL, read_number("-10", &number));
    TEST_ASSERT_EQ(5, number);
}

void test_read_number_refuses_a_number_that_is_too_large(void)
{
    int number = 5;
    TEST_ASSERT_EQ("", read_number("999", &number));
    TEST_ASSERT_EQ(NULL, read_number("1000", &number));
    TEST_ASSERT_EQ(NULL, read_number("99999999999999999999", &number));
    TEST_ASSERT_EQ(MOST_STEPS, number);
}

void test_next_word_finds_the_word_behind_blanks(void)
{
    const char *cursor = "  F10 L90";
    size_t length = 99;
    TEST_ASSERT_EQ("F10 L90", next_word(&cursor, &length));
    TEST_ASSERT_EQ("L90", next_word(&cursor, &length));
}

void test_next_word_tells_its_length(void)
{
    const char *cursor = "F10  B5 X";
    size_t length = 99;
    next_word(&cursor, &length);
    TEST_ASSERT_EQ(3, length);
    next_word(&cursor, &length);
    TEST_ASSERT_EQ(2, length);
    TEST_ASSERT_EQ("X", next_word(&cursor, &length));
    TEST_ASSERT_EQ(1, length);
}

void test_next_word_moves_the_cursor_behind_it(void)
{
    const char *cursor = " F10  L90";
    size_t length = 99;
    next_word(&cursor, &length);
    TEST_ASSERT_EQ("  L90", cursor);
    next_word(&cursor, &length);
    TEST_ASSERT_EQ("", cursor);
}

void test_next_word_without_a_word_is_null(void)
{
    const char *cursor = "   ";
    size_t length = 99;
    TEST_ASSERT_EQ(NULL, next_word(&cursor, &length));
    TEST_ASSERT_EQ(0, length);
    TEST_ASSERT_EQ("", cursor);
}

void test_next_order_reads_one_order_after_the_other(void)
{
    const char *cursor = " F10 L90";
    char direction = '?';
    int steps = -1;
    TEST_ASSERT_EQ(ORDER_OK, next_order(&cursor, &direction, &steps));
    TEST_ASSERT_EQ('F', direction);
    TEST_ASSERT_EQ(10, steps);
    TEST_ASSERT_EQ(ORDER_OK, next_order(&cursor, &direction, &steps));
    TEST_ASSERT_EQ('L', direction);
    TEST_ASSERT_EQ(90, steps);
}

void test_next_order_tells_the_end(void)
{
    const char *cursor = "B5  ";
    char direction = '?';
    int steps = -1;
    TEST_ASSERT_EQ(ORDER_OK, next_order(&cursor, &direction, &steps));
    TEST_ASSERT_EQ(ORDER_END, next_order(&cursor, &direction, &steps));
    TEST_ASSERT_EQ('B', direction);
    TEST_ASSERT_EQ(5, steps);
}

void test_next_order_refuses_broken_orders(void)
{
    char direction = '?';
    int steps = -1;
    const char *cursor = "F";
    TEST_ASSERT_EQ(ORDER_BROKEN, next_order(&cursor, &direction, &steps));
    cursor = "10";
    TEST_ASSERT_EQ(ORDER_BROKEN, next_order(&cursor, &direction, &steps));
    cursor = "X10";
    TEST_ASSERT_EQ(ORDER_BROKEN, next_order(&cursor, &direction, &steps));
    cursor = "F10x";
    TEST_ASSERT_EQ(ORDER_BROKEN, next_order(&cursor, &direction, &steps));
    cursor = "F1000";
    TEST_ASSERT_EQ(ORDER_BROKEN, next_order(&cursor, &direction, &steps));
    cursor = "F 10";
    TEST_ASSERT_EQ(ORDER_BROKEN, next_order(&cursor, &direction, &steps));
    cursor = "f10";
    TEST_ASSERT_EQ(ORDER_BROKEN, next_order(&cursor, &direction, &steps));
    cursor = "FF10";
    TEST_ASSERT_EQ(ORDER_BROKEN, next_order(&cursor, &direction, &steps));
}

void test_next_order_changes_nothing_for_a_broken_order(void)
{
    const char *cursor = " R5x F10";
    char direction = '?';
    int steps = -1;
    TEST_ASSERT_EQ(ORDER_BROKEN, next_order(&cursor, &direction, &steps));
    TEST_ASSERT_EQ(" R5x F10", cursor);
    TEST_ASSERT_EQ('?', direction);
    TEST_ASSERT_EQ(-1, steps);
}

int main(void)
{
    RUN_TEST(test_at_end_is_true_on_the_zero);
    RUN_TEST(test_at_end_is_false_before_it);
    RUN_TEST(test_skip_blanks_goes_to_the_first_other_byte);
    RUN_TEST(test_skip_blanks_stays_where_no_blank_is);
    RUN_TEST(test_skip_blanks_stops_at_the_end_of_the_text);
    RUN_TEST(test_read_number_stores_the_number);
    RUN_TEST(test_read_number_returns_the_place_behind_it);
    RUN_TEST(test_read_number_needs_a_digit);
    RUN_TEST(test_read_number_refuses_a_number_that_is_too_large);
    RUN_TEST(test_next_word_finds_the_word_behind_blanks);
    RUN_TEST(test_next_word_tells_its_length);
    RUN_TEST(test_next_word_moves_the_cursor_behind_it);
    RUN_TEST(test_next_word_without_a_word_is_null);
    RUN_TEST(test_next_order_reads_one_order_after_the_other);
    RUN_TEST(test_next_order_tells_the_end);
    RUN_TEST(test_next_order_refuses_broken_orders);
    RUN_TEST(test_next_order_changes_nothing_for_a_broken_order);
    TEST_SUMMARY();
}
