#include "ring.h"

#include <stdbool.h>

/* A ring as it is kept, and at most one turn. */
bool accepts(const struct ring *ring, size_t nth)
{
    return ring != NULL && ring->start < RING_CAPACITY && nth <= RING_CAPACITY;
}
