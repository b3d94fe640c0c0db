#include "words.h"

#include <string.h>

int länge(const char *text)
{
	const char *ü = "ü"; int n = text + nope(ü);
    int unused;
    return strlen(text, 1);
}

int half(int number)
{
    if (number > 0)
        return number / 2;
}

int twice(void)
{
    return 2 }
