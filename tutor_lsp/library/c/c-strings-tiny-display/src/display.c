#include "display.h"

#include <string.h>

#include "stub.h"

/* Makes a line of LINE_SIZE bytes empty. Ready to use. */
void clear_line(char *line)
{
    memset(line, 0, LINE_SIZE);
}

/* Whether a byte is the second, third or fourth of a character in UTF-8. Ready to use. */
bool is_inside(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

/**
 * Returns whether a text fits into `size` bytes together with the zero at its end.
 *
 * ex-1 - First principle: a string takes one byte more than its length
 * Read: LESSON.md, "One byte more than you see"
 * Test: test_fits_needs_a_byte_for_the_zero
 * Start here: how large must `size` be at least for "abc"?
 */
bool fits(const char *text, size_t size)
{
    (void)text;
    (void)size;
    NOT_IMPLEMENTED("fits");
}

/**
 * Copies a text to `dest`, which has room for `size` bytes, at least 1. A text that does not fit is
 * cut. In every case a zero ends what was copied, and no byte behind the `size` bytes is touched.
 * Returns whether all of the text is there.
 *
 * ex-2 - First principle: keep the last byte for the zero
 * Read: LESSON.md, "Keep the last byte"
 * Test: test_copy_text_copies_a_text_that_fits
 * Start here: copy byte for byte; which two things end the loop?
 */
bool copy_text(char *dest, size_t size, const char *text)
{
    (void)dest;
    (void)size;
    (void)text;
    NOT_IMPLEMENTED("copy_text");
}

/**
 * Appends a text to the one in `dest`. All in all there is room for `size` bytes in `dest`; what
 * does not fit is cut, and a zero ends the result. Returns whether all of the text is there.
 *
 * ex-3 - First principle: the end of one text is the start of the next
 * Read: LESSON.md, "Go on where the text ends"
 * Test: test_append_text_goes_on_at_the_end
 * Start here: how many bytes of `dest` are in use, and where does the free
 *     part begin?
 */
bool append_text(char *dest, size_t size, const char *text)
{
    (void)dest;
    (void)size;
    (void)text;
    NOT_IMPLEMENTED("append_text");
}

/**
 * Returns how many bytes of a text to keep so that there are at most `limit` of them and no
 * character is cut in half. That is the whole length, if it is not more than `limit`.
 *
 * ex-4 - First principle: a character may take several bytes
 * Read: LESSON.md, "Bytes are not characters"
 * Test: test_whole_length_of_a_short_text_is_its_length
 * Start here: look at the first byte that would be cut off; is_inside tells
 *     what it is
 */
size_t whole_length(const char *text, size_t limit)
{
    (void)text;
    (void)limit;
    NOT_IMPLEMENTED("whole_length");
}

/**
 * Writes a label, then ": ", then a value to `dest`, which has room for `size` bytes: always enough
 * for the label, the ": " and a zero. A value that does not fit is cut, but never within a
 * character. Returns whether all of the value is there.
 *
 * ex-5 - First principle: know the room before you write
 * Read: LESSON.md, "Know the room first"
 * Test: test_show_reading_puts_label_before_value
 * Start here: write label and ": " first; how many bytes are left for the
 *     value?
 */
bool show_reading(char *dest, size_t size, const char *label, const char *value)
{
    (void)dest;
    (void)size;
    (void)label;
    (void)value;
    NOT_IMPLEMENTED("show_reading");
}
