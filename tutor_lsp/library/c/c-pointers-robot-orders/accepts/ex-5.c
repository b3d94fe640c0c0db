#include "orders.h"

#include <stdbool.h>

/* A place in a text, and places for the order. */
bool accepts(const char **cursor, char *direction, int *steps)
{
    return cursor != NULL && *cursor != NULL && direction != NULL && steps != NULL;
}
