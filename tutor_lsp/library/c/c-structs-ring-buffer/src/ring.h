#ifndef RING_H
#define RING_H

#include <stdbool.h>
#include <stddef.h>

#define RING_CAPACITY 8

/* What the functions answer. */
#define RING_OK 0
#define RING_ERR_FULL (-1)     /* no place is free */
#define RING_ERR_EMPTY (-2)    /* no byte is waiting */
#define RING_ERR_NO_LINE (-3)  /* no '\n' is waiting */
#define RING_ERR_TOO_LONG (-4) /* the caller has too little room */

/* A queue of bytes in a circle. `count` bytes are waiting, at most RING_CAPACITY. The oldest is in
   bytes[start], the younger ones in the places after it; after the last place comes place 0.
   `start` is always less than RING_CAPACITY. What stands in the other places has no meaning. */
struct ring {
    char bytes[RING_CAPACITY];
    size_t start;
    size_t count;
};

bool ring_is_full(const struct ring *ring);
size_t ring_slot(const struct ring *ring, size_t nth);
int ring_put(struct ring *ring, char byte);
int ring_take(struct ring *ring, char *byte);
int ring_take_line(struct ring *ring, char *line, size_t size);

#endif
