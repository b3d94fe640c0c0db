#include "words.h"

int twice(void)
{
    return 2;
}
