#include "scores.h"

#include <stdbool.h>

/* Any table, the best score first. */
bool accepts(unsigned scores[], size_t count, unsigned score)
{
    (void)score;
    for (size_t i = 1; i < count && i < TABLE_SIZE; i++) {
        if (scores[i] > scores[i - 1]) {
            return false;
        }
    }
    return count <= TABLE_SIZE;
}
