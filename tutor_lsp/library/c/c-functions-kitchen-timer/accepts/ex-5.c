#include "timer.h"

#include <stdbool.h>

/* A time that the display has room for, made longer by any number. */
bool accepts(unsigned minutes, unsigned seconds, unsigned more)
{
    (void)more;
    return seconds <= LONGEST_TIME && minutes <= (LONGEST_TIME - seconds) / SECONDS_PER_MINUTE;
}
