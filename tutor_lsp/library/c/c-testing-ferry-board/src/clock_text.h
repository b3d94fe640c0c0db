#ifndef CLOCK_TEXT_H
#define CLOCK_TEXT_H

#include <stddef.h>

#define CLOCK_SIZE 6 /* bytes, one of them for the terminator */

/* Writes a minute of the day, 0 to 1439, as in "23:45", and returns `text`, which has `size`
   bytes, at least 1. If the time does not fit, `text` becomes empty. */
char *clock_text(int minute, char *text, size_t size);

#endif
