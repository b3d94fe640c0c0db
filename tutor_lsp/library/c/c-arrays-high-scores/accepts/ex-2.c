#include "scores.h"

#include <limits.h>
#include <stdbool.h>

/* Any table whose points can be added up. */
bool accepts(const unsigned scores[], size_t count)
{
    unsigned long long sum = 0;
    for (size_t i = 0; i < count && i < TABLE_SIZE; i++) {
        sum += scores[i];
    }
    return count <= TABLE_SIZE && sum <= UINT_MAX;
}
