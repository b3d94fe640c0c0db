#include "card.h"

#include "stub.h"

/**
 * Returns the last digit of a number: 7 for 4117, 0 for 40.
 *
 * ex-1 - First principle: % 10 is the last digit
 * Read: LESSON.md, "What a division leaves"
 * Test: test_last_digit_is_the_one_on_the_right
 * Start here: what is left when you divide 4117 by ten?
 */
unsigned last_digit(unsigned long long number)
{
    (void)number;
    NOT_IMPLEMENTED("last_digit");
}

/**
 * Returns what a digit (0 to 9) counts when it counts twice: two times the digit, and 9 less if
 * that is more than 9. So 4 counts 8, and 7 counts 5.
 *
 * ex-2 - First principle: if chooses which lines run
 * Read: LESSON.md, "One question, two ways"
 * Test: test_doubled_of_a_small_digit_is_twice_as_much
 * Start here: give two times the digit a name, then look at how large it is
 */
unsigned doubled(unsigned digit)
{
    (void)digit;
    NOT_IMPLEMENTED("doubled");
}

/**
 * Returns how many digits a number has. 0 has one digit.
 *
 * ex-3 - First principle: while goes on until its question says no
 * Read: LESSON.md, "As long as it takes"
 * Test: test_digit_count_counts_every_digit
 * Start here: every number has one digit at least; dividing by ten takes one
 *     away
 */
unsigned digit_count(unsigned long long number)
{
    (void)number;
    NOT_IMPLEMENTED("digit_count");
}

/**
 * Returns the sum of what the digits count. From the right, the first counts as it is, the second
 * counts what doubled says, the third as it is, the fourth doubled, and so on.
 * For 184 that is 4, then 7 for the 8, then 1: together 12.
 *
 * ex-4 - First principle: a variable remembers from round to round
 * Read: LESSON.md, "A memory from round to round"
 * Test: test_luhn_sum_of_one_digit_is_the_digit
 * Start here: besides the sum, what has to be remembered from one digit to
 *     the next?
 */
unsigned luhn_sum(unsigned long long number)
{
    (void)number;
    NOT_IMPLEMENTED("luhn_sum");
}

/**
 * Returns whether this may be a card number: it has SHORTEST_CARD to LONGEST_CARD digits, both
 * included, and its luhn_sum can be divided by 10 with nothing left.
 *
 * ex-5 - First principle: && asks on only while all is well
 * Read: LESSON.md, "All of it must hold"
 * Test: test_is_card_accepts_a_number_without_typo
 * Start here: count the digits once, then write down the three things that
 *     must hold
 */
bool is_card(unsigned long long number)
{
    (void)number;
    NOT_IMPLEMENTED("is_card");
}
