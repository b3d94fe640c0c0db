#include "ring.h"

#include <stdbool.h>

/* A ring as it is kept, and a place for the line, however small. */
bool accepts(struct ring *ring, char *line, size_t size)
{
    (void)size;
    return ring != NULL && line != NULL && ring->start < RING_CAPACITY
        && ring->count <= RING_CAPACITY;
}
