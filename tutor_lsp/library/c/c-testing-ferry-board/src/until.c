#include "until.h"

int minutes_until(int now, int departure)
{
    if (departure < now) {
        departure += DAY;
    }
    return departure - now;
}
