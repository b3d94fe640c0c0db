#include "card.h"

#include <stdbool.h>

/* Any number. */
bool accepts(unsigned long long number)
{
    (void)number;
    return true;
}
