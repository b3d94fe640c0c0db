#include "seats.h"
#include "test.h"

void test_is_free_tells_a_free_seat_from_a_taken_one(void)
{
    TEST_ASSERT(is_free(FREE));
    TEST_ASSERT(!is_free(TAKEN));
}

void test_is_free_knows_only_its_own_mark(void)
{
    TEST_ASSERT_EQ(true, is_free('.'));
    TEST_ASSERT_EQ(false, is_free(' '));
}

void test_count_free_counts_free_seats(void)
{
    TEST_ASSERT_EQ(3, count_free(".x.x."));
    TEST_ASSERT_EQ(0, count_free("xx"));
}

void test_count_free_stops_at_the_end(void)
{
    TEST_ASSERT_EQ(1, count_free("x.\0..."));
    TEST_ASSERT_EQ(0, count_free(""));
}

void test_take_seat_marks_the_seat(void)
{
    char row[] = "...";
    TEST_ASSERT_EQ(SEAT_OK, take_seat(row, 1));
    TEST_ASSERT_STR_EQ(".x.", row);
}

void test_take_seat_refuses_what_it_cannot_give(void)
{
    char row[] = "x.";
    TEST_ASSERT_EQ(SEAT_ERR_TAKEN, take_seat(row, 0));
    TEST_ASSERT_EQ(SEAT_ERR_NONE, take_seat(row, 2));
    TEST_ASSERT_STR_EQ("x.", row);
}

int main(void)
{
    RUN_TEST(test_is_free_tells_a_free_seat_from_a_taken_one);
    RUN_TEST(test_is_free_knows_only_its_own_mark);
    RUN_TEST(test_count_free_counts_free_seats);
    RUN_TEST(test_count_free_stops_at_the_end);
    RUN_TEST(test_take_seat_marks_the_seat);
    RUN_TEST(test_take_seat_refuses_what_it_cannot_give);
    TEST_SUMMARY();
}
