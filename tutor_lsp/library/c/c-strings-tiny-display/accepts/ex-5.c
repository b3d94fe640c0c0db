#include "display.h"

#include <stdbool.h>
#include <string.h>

/* Room for the label, the ": " and a zero; the value begins with a whole character. */
bool accepts(char *dest, size_t size, const char *label, const char *value)
{
    if (dest == NULL || label == NULL || value == NULL) {
        return false;
    }
    return size >= strlen(label) + 3 && !is_inside(value[0]);
}
