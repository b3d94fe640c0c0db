#ifndef SCORES_H
#define SCORES_H

#include <stddef.h>

/* A table has TABLE_SIZE places. The first `count` of them are in use, the best score first.
   What stands in the others has no meaning. */
#define TABLE_SIZE 5

unsigned last_score(const unsigned scores[], size_t count);
unsigned points_in_all(const unsigned scores[], size_t count);
size_t place_for(const unsigned scores[], size_t count, unsigned score);
size_t make_room(unsigned scores[], size_t count, size_t place);
size_t add_score(unsigned scores[], size_t count, unsigned score);

#endif
