#include "ring.h"

#include <stdbool.h>

/* A ring as it is kept, and a place for the byte. */
bool accepts(struct ring *ring, char *byte)
{
    return ring != NULL && byte != NULL && ring->start < RING_CAPACITY
        && ring->count <= RING_CAPACITY;
}
