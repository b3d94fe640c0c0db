/* The board that hung at the landing until last Sunday. It is given: read it, and leave it as it
   is, mistake and all. */
#include "old_board.h"

#define DAY 1440 /* minutes */

int minutes_left(int now, int departure)
{
    int minutes = departure;
    minutes -= now;
    minutes %= DAY;
    return minutes;
}
