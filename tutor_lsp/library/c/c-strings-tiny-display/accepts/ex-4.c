#include "display.h"

#include <stdbool.h>

/* A text that begins with a whole character. */
bool accepts(const char *text, size_t limit)
{
    (void)limit;
    return text != NULL && !is_inside(text[0]);
}
