#include "timer.h"

#include "stub.h"

/**
 * Returns the whole time in seconds: 2 minutes and 5 seconds are 125.
 *
 * ex-1 - First principle: return hands back one value
 * Read: LESSON.md, "A function hands back a value"
 * Test: test_to_seconds_counts_sixty_for_each_minute
 * Start here: how many seconds do the minutes make? SECONDS_PER_MINUTE is in
 *     timer.h
 */
unsigned to_seconds(unsigned minutes, unsigned seconds)
{
    return minutes * SECONDS_PER_MINUTE + seconds;
}

/**
 * Returns the digits on the display as one number: the minutes, then two digits for the seconds.
 * A time of 125 seconds is 2 minutes and 5 seconds, so the number is 205.
 *
 * ex-2 - First principle: division drops the rest, % keeps it
 * Read: LESSON.md, "What fits, and what is left"
 * Test: test_on_display_puts_minutes_before_seconds
 * Start here: give the whole minutes a name, and then the seconds that are
 *     left
 */
unsigned on_display(unsigned time)
{
    unsigned minutes = time / SECONDS_PER_MINUTE;
    unsigned seconds = time % SECONDS_PER_MINUTE;
    return minutes * 100 + seconds;
}

/**
 * Returns the time one second later, which is one less. A time of 0 stays 0.
 *
 * ex-3 - First principle: an unsigned number wraps around below zero
 * Read: LESSON.md, "There is nothing below zero"
 * Test: test_tick_takes_one_second_off
 * Start here: for which time would taking one off go wrong?
 */
unsigned tick(unsigned time)
{
    if (time == 0) {
        return 0;
    }
    return time - 1;
}

/**
 * Returns the time made longer by `more` seconds, but never more than LONGEST_TIME.
 * `time` is at most LONGEST_TIME; `more` may be any number, even the largest there is.
 *
 * ex-4 - First principle: ask before you add
 * Read: LESSON.md, "Ask before you add"
 * Test: test_add_time_makes_the_time_longer
 * Start here: how many seconds of room are left up to LONGEST_TIME?
 */
unsigned add_time(unsigned time, unsigned more)
{
    if (more > LONGEST_TIME - time) {
        return LONGEST_TIME;
    }
    return time + more;
}

/**
 * Returns what the display shows one second after the start, in the form of on_display. The timer
 * was set to `minutes` and `seconds`, at most LONGEST_TIME together, then made longer by `more`
 * seconds as add_time does it, then started: one tick has passed.
 *
 * ex-5 - First principle: the answer of one call feeds the next
 * Read: LESSON.md, "One call feeds the next"
 * Test: test_after_start_shows_the_first_second_gone
 * Start here: follow one time through the functions above, from the keys to
 *     the display
 */
unsigned after_start(unsigned minutes, unsigned seconds, unsigned more)
{
    unsigned set = to_seconds(minutes, seconds);
    unsigned whole = add_time(set, more);
    return on_display(tick(whole));
}
