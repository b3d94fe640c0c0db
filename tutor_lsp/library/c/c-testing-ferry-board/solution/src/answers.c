/*
 * What old_board.c shows: `morning` is what `minutes_left(480, 525)` gives,
 * `midnight` what `minutes_left(1430, 10)` gives. Write each as a value: the
 * line with NOT_IMPLEMENTED becomes one such as `return 3;`.
 *
 * ex-1 - First principle: a program does what it says, not what it is for
 * Read: LESSON.md, "By hand"
 * Test: test_morning_at_eight
 * Start here: what is `minutes` after each of the three lines?
 */
#include "answers.h"

int morning(void)
{
    return 45;
}

int midnight(void)
{
    return -1420;
}
