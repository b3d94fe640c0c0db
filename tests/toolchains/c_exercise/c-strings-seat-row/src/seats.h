#ifndef SEATS_H
#define SEATS_H

#include <stdbool.h>
#include <stddef.h>

#define FREE '.'
#define TAKEN 'x'

/* What take_seat answers. */
#define SEAT_OK 1
#define SEAT_ERR_TAKEN (-1)
#define SEAT_ERR_NONE (-2)

bool is_free(char mark);
size_t count_free(const char *row);
int take_seat(char *row, size_t seat);

#endif
