#include "scores.h"

#include <stdbool.h>

/* Any table, and a place in it or right behind its last score. */
bool accepts(unsigned scores[], size_t count, size_t place)
{
    for (size_t i = 1; i < count && i < TABLE_SIZE; i++) {
        if (scores[i] > scores[i - 1]) {
            return false;
        }
    }
    return count <= TABLE_SIZE && place <= count && place < TABLE_SIZE;
}
