#include "words.h"

#include "missing.h"
