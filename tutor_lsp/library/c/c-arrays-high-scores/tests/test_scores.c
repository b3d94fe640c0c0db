#include "scores.h"
#include "test.h"

void test_last_score_is_in_the_last_used_place(void)
{
    unsigned scores[TABLE_SIZE] = {900, 700, 400, 1, 1};
    TEST_ASSERT_EQ(400, last_score(scores, 3));
    TEST_ASSERT_EQ(900, last_score(scores, 1));
}

void test_last_score_of_a_full_table(void)
{
    unsigned scores[TABLE_SIZE] = {900, 700, 400, 300, 200};
    TEST_ASSERT_EQ(200, last_score(scores, TABLE_SIZE));
}

void test_points_in_all_adds_every_score(void)
{
    unsigned scores[TABLE_SIZE] = {900, 700, 400, 300, 200};
    TEST_ASSERT_EQ(2500, points_in_all(scores, TABLE_SIZE));
}

void test_points_in_all_leaves_unused_places_out(void)
{
    unsigned scores[TABLE_SIZE] = {900, 700, 400, 300, 200};
    TEST_ASSERT_EQ(1600, points_in_all(scores, 2));
    TEST_ASSERT_EQ(0, points_in_all(scores, 0));
}

void test_place_for_is_before_the_first_lower_score(void)
{
    unsigned scores[TABLE_SIZE] = {900, 700, 400};
    TEST_ASSERT_EQ(1, place_for(scores, 3, 800));
    TEST_ASSERT_EQ(0, place_for(scores, 3, 901));
    TEST_ASSERT_EQ(2, place_for(scores, 3, 500));
}

void test_place_for_is_behind_an_equal_score(void)
{
    unsigned scores[TABLE_SIZE] = {900, 700, 700, 400};
    TEST_ASSERT_EQ(3, place_for(scores, 4, 700));
    TEST_ASSERT_EQ(1, place_for(scores, 4, 900));
}

void test_place_for_the_lowest_score_is_behind_all(void)
{
    unsigned scores[TABLE_SIZE] = {900, 700, 400, 300, 200};
    TEST_ASSERT_EQ(TABLE_SIZE, place_for(scores, TABLE_SIZE, 100));
    TEST_ASSERT_EQ(TABLE_SIZE, place_for(scores, TABLE_SIZE, 200));
}

void test_place_for_looks_at_used_places_only(void)
{
    unsigned scores[TABLE_SIZE] = {900, 700, 800, 800, 800};
    TEST_ASSERT_EQ(2, place_for(scores, 2, 300));
    TEST_ASSERT_EQ(0, place_for(scores, 0, 300));
}

void test_make_room_moves_the_rest_down(void)
{
    unsigned scores[TABLE_SIZE] = {900, 700, 400};
    TEST_ASSERT_EQ(4, make_room(scores, 3, 1));
    TEST_ASSERT_EQ(700, scores[2]);
    TEST_ASSERT_EQ(400, scores[3]);
    TEST_ASSERT_EQ(5, make_room(scores, 4, 0));
    TEST_ASSERT_EQ(900, scores[1]);
    TEST_ASSERT_EQ(400, scores[4]);
}

void test_make_room_keeps_what_is_above(void)
{
    unsigned scores[TABLE_SIZE] = {900, 700, 400};
    TEST_ASSERT_EQ(4, make_room(scores, 3, 2));
    TEST_ASSERT_EQ(900, scores[0]);
    TEST_ASSERT_EQ(700, scores[1]);
    TEST_ASSERT_EQ(400, scores[3]);
}

void test_make_room_drops_the_last_of_a_full_table(void)
{
    unsigned scores[TABLE_SIZE] = {900, 700, 400, 300, 200};
    TEST_ASSERT_EQ(TABLE_SIZE, make_room(scores, TABLE_SIZE, 2));
    TEST_ASSERT_EQ(700, scores[1]);
    TEST_ASSERT_EQ(400, scores[3]);
    TEST_ASSERT_EQ(300, scores[4]);
}

void test_make_room_at_the_end_moves_nothing(void)
{
    unsigned scores[TABLE_SIZE] = {900, 700, 0, 0, 0};
    unsigned full[TABLE_SIZE] = {900, 700, 400, 300, 200};
    TEST_ASSERT_EQ(3, make_room(scores, 2, 2));
    TEST_ASSERT_EQ(700, scores[1]);
    TEST_ASSERT_EQ(TABLE_SIZE, make_room(full, TABLE_SIZE, 4));
    TEST_ASSERT_EQ(300, full[3]);
}

void test_add_score_keeps_the_best_first(void)
{
    unsigned scores[TABLE_SIZE] = {900, 400};
    TEST_ASSERT_EQ(3, add_score(scores, 2, 700));
    TEST_ASSERT_EQ(900, scores[0]);
    TEST_ASSERT_EQ(700, scores[1]);
    TEST_ASSERT_EQ(400, scores[2]);
}

void test_add_score_fills_an_empty_table(void)
{
    unsigned scores[TABLE_SIZE] = {0};
    TEST_ASSERT_EQ(1, add_score(scores, 0, 400));
    TEST_ASSERT_EQ(2, add_score(scores, 1, 300));
    TEST_ASSERT_EQ(400, scores[0]);
    TEST_ASSERT_EQ(300, scores[1]);
}

void test_add_score_pushes_the_last_one_out(void)
{
    unsigned scores[TABLE_SIZE] = {900, 700, 400, 300, 200};
    TEST_ASSERT_EQ(TABLE_SIZE, add_score(scores, TABLE_SIZE, 250));
    TEST_ASSERT_EQ(250, scores[4]);
    TEST_ASSERT_EQ(TABLE_SIZE, add_score(scores, TABLE_SIZE, 950));
    TEST_ASSERT_EQ(950, scores[0]);
    TEST_ASSERT_EQ(300, scores[4]);
}

void test_add_score_ignores_what_is_too_low(void)
{
    unsigned scores[TABLE_SIZE] = {900, 700, 400, 300, 200};
    TEST_ASSERT_EQ(TABLE_SIZE, add_score(scores, TABLE_SIZE, 100));
    TEST_ASSERT_EQ(TABLE_SIZE, add_score(scores, TABLE_SIZE, 200));
    TEST_ASSERT_EQ(300, scores[3]);
    TEST_ASSERT_EQ(200, scores[4]);
}

int main(void)
{
    RUN_TEST(test_last_score_is_in_the_last_used_place);
    RUN_TEST(test_last_score_of_a_full_table);
    RUN_TEST(test_points_in_all_adds_every_score);
    RUN_TEST(test_points_in_all_leaves_unused_places_out);
    RUN_TEST(test_place_for_is_before_the_first_lower_score);
    RUN_TEST(test_place_for_is_behind_an_equal_score);
    RUN_TEST(test_place_for_the_lowest_score_is_behind_all);
    RUN_TEST(test_place_for_looks_at_used_places_only);
    RUN_TEST(test_make_room_moves_the_rest_down);
    RUN_TEST(test_make_room_keeps_what_is_above);
    RUN_TEST(test_make_room_drops_the_last_of_a_full_table);
    RUN_TEST(test_make_room_at_the_end_moves_nothing);
    RUN_TEST(test_add_score_keeps_the_best_first);
    RUN_TEST(test_add_score_fills_an_empty_table);
    RUN_TEST(test_add_score_pushes_the_last_one_out);
    RUN_TEST(test_add_score_ignores_what_is_too_low);
    TEST_SUMMARY();
}
