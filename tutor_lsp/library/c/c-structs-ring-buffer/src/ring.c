#include "ring.h"

#include "stub.h"

/**
 * Returns whether every place of the ring is taken.
 *
 * ex-1 - First principle: -> reads a member through a pointer
 * Read: LESSON.md, "One thing made of several"
 * Test: test_ring_is_full_when_every_place_is_taken
 * Start here: which member says how many bytes are waiting?
 */
bool ring_is_full(const struct ring *ring)
{
    (void)ring;
    NOT_IMPLEMENTED("ring_is_full");
}

/**
 * Returns the place in `bytes` that is `nth` places after the start: 0 is the place of the oldest
 * byte. After the last place comes place 0 again. `nth` is at most RING_CAPACITY.
 *
 * ex-2 - First principle: % closes the circle
 * Read: LESSON.md, "After the last comes the first"
 * Test: test_ring_slot_counts_from_the_start
 * Start here: with 8 places and the start at 6, which place is 3 further?
 */
size_t ring_slot(const struct ring *ring, size_t nth)
{
    (void)ring;
    (void)nth;
    NOT_IMPLEMENTED("ring_slot");
}

/**
 * Adds a byte behind those that are waiting and returns RING_OK. If the ring is full, nothing
 * changes, and the answer is RING_ERR_FULL.
 *
 * ex-3 - First principle: every function keeps the struct's promise
 * Read: LESSON.md, "A promise to keep"
 * Test: test_ring_put_stores_behind_the_others
 * Start here: which place is the first free one? ring_slot knows it
 */
int ring_put(struct ring *ring, char byte)
{
    (void)ring;
    (void)byte;
    NOT_IMPLEMENTED("ring_put");
}

/**
 * Takes the oldest byte out of the ring, stores it in `*byte` and returns RING_OK. If no byte is
 * waiting, neither the ring nor `*byte` changes, and the answer is RING_ERR_EMPTY.
 *
 * ex-4 - First principle: the answer says whether, the pointer says what
 * Read: LESSON.md, "Whether, and what"
 * Test: test_ring_take_gives_the_oldest_byte
 * Start here: save the byte first; then the ring starts one place further and
 *     holds one less
 */
int ring_take(struct ring *ring, char *byte)
{
    (void)ring;
    (void)byte;
    NOT_IMPLEMENTED("ring_take");
}

/**
 * Takes the oldest line out of the ring: all bytes up to the first '\n', and the '\n' itself.
 * Stores the line as a string in `line`, without the '\n' and with a zero at its end, and returns
 * RING_OK. If no '\n' is waiting, the answer is RING_ERR_NO_LINE; if the line and its zero need
 * more than `size` bytes, it is RING_ERR_TOO_LONG. In both cases neither ring nor `line` changes.
 *
 * ex-5 - First principle: look ahead, then take
 * Read: LESSON.md, "Look ahead, then take"
 * Test: test_ring_take_line_gives_the_text_before_the_newline
 * Start here: how many bytes are waiting before the first '\n'? Count without
 *     taking any
 */
int ring_take_line(struct ring *ring, char *line, size_t size)
{
    (void)ring;
    (void)line;
    (void)size;
    NOT_IMPLEMENTED("ring_take_line");
}
