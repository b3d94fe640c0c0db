#ifndef ORDERS_H
#define ORDERS_H

#include <stdbool.h>
#include <stddef.h>

/* An order is one of the letters F, B, L, R and a number: "F10" is ten steps forward. A text
   holds any number of orders, separated by blanks. */
#define MOST_STEPS 999 /* the largest number that an order may have */

/* What next_order answers. */
#define ORDER_OK 0
#define ORDER_END 1
#define ORDER_BROKEN (-1)

bool is_direction(char letter);

bool at_end(const char *at);
const char *skip_blanks(const char *at);
const char *read_number(const char *at, int *number);
const char *next_word(const char **cursor, size_t *length);
int next_order(const char **cursor, char *direction, int *steps);

#endif
