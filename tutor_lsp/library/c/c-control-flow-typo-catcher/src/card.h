#ifndef CARD_H
#define CARD_H

#include <stdbool.h>

/* A card number is one large number: no spaces, no leading zeros. */
#define SHORTEST_CARD 12u /* digits */
#define LONGEST_CARD 19u

unsigned last_digit(unsigned long long number);
unsigned doubled(unsigned digit);
unsigned digit_count(unsigned long long number);
unsigned luhn_sum(unsigned long long number);
bool is_card(unsigned long long number);

#endif
