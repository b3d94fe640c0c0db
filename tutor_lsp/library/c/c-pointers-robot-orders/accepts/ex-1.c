#include "orders.h"

#include <stdbool.h>

/* A place in a text. */
bool accepts(const char *at)
{
    return at != NULL;
}
