#include "card.h"

#include <stdbool.h>

/* A digit. */
bool accepts(unsigned digit)
{
    return digit <= 9;
}
