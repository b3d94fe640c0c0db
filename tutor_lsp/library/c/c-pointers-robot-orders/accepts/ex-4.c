#include "orders.h"

#include <stdbool.h>

/* A place in a text, and one for the length. */
bool accepts(const char **cursor, size_t *length)
{
    return cursor != NULL && *cursor != NULL && length != NULL;
}
