#ifndef OLD_BOARD_H
#define OLD_BOARD_H

/* What the old board shows at `now` for a departure, both in minutes after midnight. */
int minutes_left(int now, int departure);

#endif
