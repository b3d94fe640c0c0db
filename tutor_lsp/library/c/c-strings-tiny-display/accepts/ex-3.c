#include "display.h"

#include <stdbool.h>
#include <string.h>

/* Any text, and a text in `dest` that has room there. */
bool accepts(char *dest, size_t size, const char *text)
{
    return dest != NULL && text != NULL && strnlen(dest, size) < size;
}
