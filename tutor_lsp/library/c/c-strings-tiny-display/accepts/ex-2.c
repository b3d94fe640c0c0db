#include "display.h"

#include <stdbool.h>

/* Any text, and room for a zero at least. */
bool accepts(char *dest, size_t size, const char *text)
{
    return dest != NULL && text != NULL && size >= 1;
}
