#include "seats.h"

#include <string.h>

#include "stub.h"

/**
 * Returns whether a seat with that mark is free: true for FREE, false for every other character.
 *
 * ex-1 — First principle: a comparison is a value
 * Read: LESSON.md § "A comparison is a value"
 * Test: test_is_free_tells_a_free_seat_from_a_taken_one, test_is_free_knows_only_its_own_mark
 * Start here: which two characters are to be compared?
 */
bool is_free(char mark)
{
    return mark == FREE;
}

/**
 * Returns how many seats of the row are free. A row without seats has none.
 *
 * ex-2 — First principle: a string ends with a zero
 * Read: LESSON.md § "Walking along a string"
 * Test: test_count_free_counts_free_seats, test_count_free_stops_at_the_end
 * Start here: which character tells that the row is over?
 */
size_t count_free(const char *row)
{
    size_t count = 0;
    for (const char *at = row; *at != '\0'; at++)
        count += is_free(*at);
    return count;
}

/**
 * Marks a seat of the row as TAKEN and returns SEAT_OK. The first seat is 0.
 *
 * Returns SEAT_ERR_NONE if the row has no such seat, SEAT_ERR_TAKEN if it is not free; the row
 * then stays as it is.
 *
 * ex-3 — First principle: check first, then write
 * Read: LESSON.md § "Check first, then write"
 * Test: test_take_seat_marks_the_seat, test_take_seat_refuses_what_it_cannot_give
 * Start here: when does the row have no such seat?
 */
int take_seat(char *row, size_t seat)
{
    if (seat >= strlen(row))
        return SEAT_ERR_NONE;
    if (!is_free(row[seat]))
        return SEAT_ERR_TAKEN;
    row[seat] = TAKEN;
    return SEAT_OK;
}
