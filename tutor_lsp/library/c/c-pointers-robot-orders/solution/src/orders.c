#include "orders.h"

#include <string.h>

#include "stub.h"

/* Whether a letter is one of the four directions. Ready to use. */
bool is_direction(char letter)
{
    return letter != '\0' && strchr("FBLR", letter) != NULL;
}

/**
 * Returns whether the pointer stands at the end of its text: on the zero.
 *
 * ex-1 - First principle: * reads what a pointer points at
 * Read: LESSON.md, "A pointer says where"
 * Test: test_at_end_is_true_on_the_zero
 * Start here: `at` says where; what stands there?
 */
bool at_end(const char *at)
{
    return *at == '\0';
}

/**
 * Returns a pointer to the first byte from `at` on that is not a blank (' '). If there are only
 * blanks, that is the zero at the end of the text.
 *
 * ex-2 - First principle: a pointer can walk
 * Read: LESSON.md, "A pointer can walk"
 * Test: test_skip_blanks_goes_to_the_first_other_byte
 * Start here: while a blank stands there, go one further
 */
const char *skip_blanks(const char *at)
{
    while (*at == ' ') {
        at++;
    }
    return at;
}

/**
 * Reads the digits from `at` on as a number, stores it in `*number` and returns a pointer to the
 * first byte behind them. Returns NULL, and leaves `*number` as it was, if there is no digit at
 * `at`, or if the number is more than MOST_STEPS, however many digits it has.
 *
 * ex-3 - First principle: a pointer parameter is a way out for a result
 * Read: LESSON.md, "A way out for results"
 * Test: test_read_number_stores_the_number
 * Start here: collect the value in a variable of your own, digit by digit
 */
const char *read_number(const char *at, int *number)
{
    if (*at < '0' || *at > '9') {
        return NULL;
    }
    int value = 0;
    for (; *at >= '0' && *at <= '9'; at++) {
        value = value * 10 + (*at - '0');
        if (value > MOST_STEPS) {
            return NULL;
        }
    }
    *number = value;
    return at;
}

/**
 * Finds the next word from `*cursor` on: all bytes up to a blank or the end of the text, after any
 * blanks. Returns a pointer to its first byte, stores in `*length` how many bytes it has, and moves
 * `*cursor` to the byte behind it. If there is no word, returns NULL, stores 0, and moves `*cursor`
 * to the end of the text.
 *
 * ex-4 - First principle: a pointer to a pointer moves the caller's
 * Read: LESSON.md, "The caller's pointer"
 * Test: test_next_word_finds_the_word_behind_blanks
 * Start here: where does the word begin? skip_blanks knows, if you hand it
 *     the caller's pointer
 */
const char *next_word(const char **cursor, size_t *length)
{
    const char *word = skip_blanks(*cursor);
    const char *end = word;
    while (!at_end(end) && *end != ' ') {
        end++;
    }
    *cursor = end;
    *length = (size_t)(end - word);
    return *length > 0 ? word : NULL;
}

/**
 * Reads the next word from `*cursor` on as an order. If it is one, stores its letter in
 * `*direction` and its number in `*steps`, moves `*cursor` behind it and returns ORDER_OK.
 * Returns ORDER_END if there is no further word, and ORDER_BROKEN if the word is not exactly a
 * letter with is_direction and a number that read_number takes. Then nothing has changed: not
 * `*cursor`, not `*direction`, not `*steps`.
 *
 * ex-5 - First principle: change the caller's things last
 * Read: LESSON.md, "All or nothing"
 * Test: test_next_order_reads_one_order_after_the_other
 * Start here: walk with a copy of the caller's pointer, and copy it back when
 *     all is well
 */
int next_order(const char **cursor, char *direction, int *steps)
{
    const char *at = *cursor;
    size_t length = 0;
    int number = 0;
    const char *word = next_word(&at, &length);
    if (word == NULL) {
        return ORDER_END;
    }
    if (!is_direction(*word) || read_number(word + 1, &number) != word + length) {
        return ORDER_BROKEN;
    }
    *cursor = at;
    *direction = *word;
    *steps = number;
    return ORDER_OK;
}
