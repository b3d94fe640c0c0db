#include "timer.h"

#include <stdbool.h>

/* A time that the display has room for. */
bool accepts(unsigned time)
{
    return time <= LONGEST_TIME;
}
