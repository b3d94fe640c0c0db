#include "timer.h"

#include <limits.h>
#include <stdbool.h>

/* A time that can be counted in seconds. */
bool accepts(unsigned minutes, unsigned seconds)
{
    return minutes <= (UINT_MAX - seconds) / SECONDS_PER_MINUTE;
}
