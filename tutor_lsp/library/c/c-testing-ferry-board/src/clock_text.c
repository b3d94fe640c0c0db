#include "clock_text.h"

#include <stdio.h>

char *clock_text(int minute, char *text, size_t size)
{
    text[0] = '\0';
    if (size >= CLOCK_SIZE) {
        snprintf(text, size, "%02d:%02d", minute / 60, minute % 60);
    }
    return text;
}
