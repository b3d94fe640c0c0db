#include "scores.h"

#include "stub.h"

/**
 * Returns the score in the last place that is in use. `count` is at least 1.
 *
 * ex-1 - First principle: counting starts at zero
 * Read: LESSON.md, "Counting starts at zero"
 * Test: test_last_score_is_in_the_last_used_place
 * Start here: if one place is in use, what is its number?
 */
unsigned last_score(const unsigned scores[], size_t count)
{
    (void)scores;
    (void)count;
    NOT_IMPLEMENTED("last_score");
}

/**
 * Returns the sum of the scores in all places that are in use; 0 for an empty table.
 *
 * ex-2 - First principle: the length travels along
 * Read: LESSON.md, "An array does not know its length"
 * Test: test_points_in_all_adds_every_score
 * Start here: write a loop that visits the places 0 up to, but not including,
 *     count
 */
unsigned points_in_all(const unsigned scores[], size_t count)
{
    (void)scores;
    (void)count;
    NOT_IMPLEMENTED("points_in_all");
}

/**
 * Returns the place where a new score belongs: the first one whose score is lower. If no score in
 * use is lower, that is the place behind the last one, `count`. Who was there first stays ahead
 * of an equal score. Nothing is changed.
 *
 * ex-3 - First principle: ask for the bound before the element
 * Read: LESSON.md, "Look until you find it"
 * Test: test_place_for_is_before_the_first_lower_score
 * Start here: walk down from place 0; what makes you stop?
 */
size_t place_for(const unsigned scores[], size_t count, unsigned score)
{
    (void)scores;
    (void)count;
    (void)score;
    NOT_IMPLEMENTED("place_for");
}

/**
 * Moves the scores in use from `place` on one place further down, so that a new one can be put
 * there, and returns how many places are in use then, the new one included. If the table is full,
 * it stays so: its last score is lost. What stands in scores[place] afterwards does not matter.
 * `place` is at most `count`, and less than TABLE_SIZE.
 *
 * ex-4 - First principle: move the far end first
 * Read: LESSON.md, "Make way from the far end"
 * Test: test_make_room_moves_the_rest_down
 * Start here: which place is the last one in use afterwards, if the table is
 *     full, and if not?
 */
size_t make_room(unsigned scores[], size_t count, size_t place)
{
    (void)scores;
    (void)count;
    (void)place;
    NOT_IMPLEMENTED("make_room");
}

/**
 * Puts a new score in its place and returns how many places are in use then. If the table is full,
 * its last score makes way. A score that is too low for a full table changes nothing.
 *
 * ex-5 - First principle: check the index, then write
 * Read: LESSON.md, "Check, then write"
 * Test: test_add_score_keeps_the_best_first
 * Start here: ask place_for, and look whether the table has such a place
 */
size_t add_score(unsigned scores[], size_t count, unsigned score)
{
    (void)scores;
    (void)count;
    (void)score;
    NOT_IMPLEMENTED("add_score");
}
