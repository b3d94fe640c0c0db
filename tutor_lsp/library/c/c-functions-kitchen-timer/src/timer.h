#ifndef TIMER_H
#define TIMER_H

/* A time is a number of whole seconds. The display has room for 99 minutes and 59 seconds. */
#define SECONDS_PER_MINUTE 60u
#define LONGEST_TIME 5999u

unsigned to_seconds(unsigned minutes, unsigned seconds);
unsigned on_display(unsigned time);
unsigned tick(unsigned time);
unsigned add_time(unsigned time, unsigned more);
unsigned after_start(unsigned minutes, unsigned seconds, unsigned more);

#endif
