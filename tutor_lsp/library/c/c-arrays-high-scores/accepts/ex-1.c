#include "scores.h"

#include <stdbool.h>
#include <stddef.h>

/* A table with a score in it. */
bool accepts(const unsigned scores[], size_t count)
{
    return scores != NULL && count >= 1 && count <= TABLE_SIZE;
}
