#include "ring.h"

#include <stdbool.h>

/* A ring as it is kept. */
bool accepts(const struct ring *ring)
{
    return ring != NULL && ring->start < RING_CAPACITY && ring->count <= RING_CAPACITY;
}
