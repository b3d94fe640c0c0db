#ifndef UNTIL_H
#define UNTIL_H

#define DAY 1440 /* minutes */

/* How long to wait at `now` for a departure. Both are in minutes after midnight, 0 to 1439; a
   departure before `now` is tomorrow's. */
int minutes_until(int now, int departure);

#endif
