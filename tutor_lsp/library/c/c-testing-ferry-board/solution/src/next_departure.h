/*
 * The ferry to wait for: the first of `count` times that is not before `now`,
 * or -1 if none of them is left. The times are in order. If they are 360, 480
 * and 1080, `next_departure(times, 3, 400)` is 480; at 1100 it is -1.
 *
 * ex-2 - First principle: ask whether a place exists before you read it
 * Read: LESSON.md, "One place too far"
 * Test: test_next_departure_is_the_first_that_is_left
 * Start here: which place does the loop read when all ferries are gone?
 */
#include <stddef.h>

static inline int next_departure(const int *times, size_t count, int now)
{
    for (size_t i = 0; i < count; i++) {
        if (times[i] >= now) {
            return times[i];
        }
    }
    return -1;
}
