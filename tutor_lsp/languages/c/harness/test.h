/* Tests of an exercise. The tutor made this file and puts it back when it is changed.
 *
 *     #include "test.h"
 *     #include "words.h"
 *
 *     void test_count_words_of_nothing_is_zero(void)
 *     {
 *         TEST_ASSERT_EQ(0, count_words(""));
 *     }
 *
 *     int main(void)
 *     {
 *         RUN_TEST(test_count_words_of_nothing_is_zero);
 *         TEST_SUMMARY();
 *     }
 *
 * TEST_ASSERT(condition)
 * TEST_ASSERT_EQ(expected, actual)      numbers by value, whatever their types (fractions to 9
 *                                       digits, float to 5), char pointers by their text, other
 *                                       pointers by address; no structs
 * TEST_ASSERT_STR_EQ(expected, actual)  two strings by their text; NULL equals NULL only
 *
 * The first assertion that does not hold ends its test; every test runs in a process of its own.
 * `make test` runs all, `make test TEST=test_name` one, `make list` names them.
 */
#ifndef TUTOR_TEST_H
#define TUTOR_TEST_H

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

int unsetenv(const char *name); /* POSIX; a strict C mode hides these two */
int ftruncate(int fd, off_t length);

#define TEST_ASSERT(condition)                                     \
    do {                                                           \
        if (!(condition))                                          \
            tutor_false_(__FILE__, __LINE__, #condition);          \
    } while (0)

#define TEST_ASSERT_EQ(expected, actual)                                        \
    do {                                                                        \
        const struct tutor_value_ tutor_expected_ = TUTOR_VALUE_(expected);     \
        const struct tutor_value_ tutor_actual_ = TUTOR_VALUE_(actual);         \
        if (!tutor_equal_(&tutor_expected_, &tutor_actual_))                    \
            tutor_unequal_(__FILE__, __LINE__, #expected, &tutor_expected_,     \
                           &tutor_actual_);                                     \
    } while (0)

#define TEST_ASSERT_STR_EQ(expected, actual)                                    \
    do {                                                                        \
        const struct tutor_value_ tutor_expected_ = tutor_text_(expected);      \
        const struct tutor_value_ tutor_actual_ = tutor_text_(actual);          \
        if (!tutor_equal_(&tutor_expected_, &tutor_actual_))                    \
            tutor_unequal_(__FILE__, __LINE__, #expected, &tutor_expected_,     \
                           &tutor_actual_);                                     \
    } while (0)

#define RUN_TEST(test) tutor_run_(#test, test)
#define TEST_SUMMARY() tutor_summary_()

enum tutor_kind_ { TUTOR_INT, TUTOR_UINT, TUTOR_CHAR, TUTOR_BOOL, TUTOR_REAL, TUTOR_TEXT,
                   TUTOR_POINTER };

struct tutor_value_ {
    enum tutor_kind_ kind;
    intmax_t number;
    uintmax_t unsigned_number;
    long double real;
    long double precision;
    const void *pointer;
};

#define TUTOR_VALUE_(value)                                                               \
    _Generic((value), _Bool: tutor_bool_, char: tutor_char_, signed char: tutor_int_,     \
             short: tutor_int_, int: tutor_int_, long: tutor_int_, long long: tutor_int_, \
             unsigned char: tutor_uint_, unsigned short: tutor_uint_,                     \
             unsigned: tutor_uint_, unsigned long: tutor_uint_,                           \
             unsigned long long: tutor_uint_, float: tutor_float_, double: tutor_real_,   \
             long double: tutor_real_, char *: tutor_text_, const char *: tutor_text_,    \
             default: tutor_pointer_)(value)

static inline struct tutor_value_ tutor_int_(intmax_t number)
{
    return (struct tutor_value_){.kind = TUTOR_INT, .number = number};
}

static inline struct tutor_value_ tutor_uint_(uintmax_t number)
{
    return (struct tutor_value_){.kind = TUTOR_UINT, .unsigned_number = number};
}

static inline struct tutor_value_ tutor_char_(char letter)
{
    return (struct tutor_value_){.kind = TUTOR_CHAR, .number = letter};
}

static inline struct tutor_value_ tutor_bool_(_Bool truth)
{
    return (struct tutor_value_){.kind = TUTOR_BOOL, .number = truth};
}

static inline struct tutor_value_ tutor_float_(float real)
{
    return (struct tutor_value_){.kind = TUTOR_REAL, .real = real, .precision = 1e-5L};
}

static inline struct tutor_value_ tutor_real_(long double real)
{
    return (struct tutor_value_){.kind = TUTOR_REAL, .real = real, .precision = 1e-9L};
}

static inline struct tutor_value_ tutor_text_(const char *text)
{
    return (struct tutor_value_){.kind = TUTOR_TEXT, .pointer = text};
}

static inline struct tutor_value_ tutor_pointer_(const void *pointer)
{
    return (struct tutor_value_){.kind = TUTOR_POINTER, .pointer = pointer};
}

/* Comparing. */

static inline int tutor_is_address_(const struct tutor_value_ *value)
{
    return value->kind == TUTOR_TEXT || value->kind == TUTOR_POINTER;
}

static inline int tutor_is_negative_(const struct tutor_value_ *value)
{
    return value->kind != TUTOR_UINT && value->number < 0;
}

static inline uintmax_t tutor_bits_(const struct tutor_value_ *value)
{
    if (tutor_is_address_(value))
        return (uintptr_t)value->pointer;
    return value->kind == TUTOR_UINT ? value->unsigned_number : (uintmax_t)value->number;
}

static inline long double tutor_as_real_(const struct tutor_value_ *value)
{
    if (value->kind == TUTOR_REAL)
        return value->real;
    return tutor_is_negative_(value) ? (long double)value->number : (long double)tutor_bits_(value);
}

static inline int tutor_close_(const struct tutor_value_ *one, const struct tutor_value_ *other)
{
    long double a = tutor_as_real_(one), b = tutor_as_real_(other);
    long double precision = one->precision > other->precision ? one->precision : other->precision;
    long double scale = 1, size = a < 0 ? -a : a, difference = a < b ? b - a : a - b;
    if (a == b)
        return 1;
    if (size > scale)
        scale = size;
    return difference - difference == 0 && difference <= precision * scale;
}

static inline int tutor_equal_(const struct tutor_value_ *one, const struct tutor_value_ *other)
{
    if (one->kind == TUTOR_REAL || other->kind == TUTOR_REAL)
        return !tutor_is_address_(one) && !tutor_is_address_(other) && tutor_close_(one, other);
    if (one->kind == TUTOR_TEXT && other->kind == TUTOR_TEXT && one->pointer && other->pointer)
        return one->pointer == other->pointer || strcmp(one->pointer, other->pointer) == 0;
    return tutor_is_negative_(one) == tutor_is_negative_(other)
        && tutor_bits_(one) == tutor_bits_(other);
}

/* Writing values as C would. */

struct tutor_line_ {
    char bytes[6000];
    size_t length;
};

static inline void tutor_put_(struct tutor_line_ *line, const char *bytes, size_t length)
{
    size_t room = sizeof line->bytes - 1 - line->length;
    if (length > room)
        length = room;
    memcpy(line->bytes + line->length, bytes, length);
    line->length += length;
}

static inline void tutor_say_(struct tutor_line_ *line, const char *text)
{
    tutor_put_(line, text, strlen(text));
}

static inline void tutor_put_number_(struct tutor_line_ *line, const char *sign, uintmax_t number)
{
    char digits[24];
    tutor_say_(line, sign);
    snprintf(digits, sizeof digits, "%ju", number);
    tutor_say_(line, digits);
}

static inline void tutor_put_letter_(struct tutor_line_ *line, unsigned char letter, char quote)
{
    static const char plain[] = "\a\b\f\n\r\t\v", names[] = "abfnrtv";
    const char *found = letter ? strchr(plain, letter) : NULL;
    char text[8];
    if (found)
        snprintf(text, sizeof text, "\\%c", names[found - plain]);
    else if (letter == 0)
        snprintf(text, sizeof text, "\\0");
    else if (letter == '\\' || letter == (unsigned char)quote)
        snprintf(text, sizeof text, "\\%c", letter);
    else if (letter < ' ' || letter == 127)
        snprintf(text, sizeof text, "\\x%02x", letter);
    else
        snprintf(text, sizeof text, "%c", letter);
    tutor_say_(line, text);
}

/* A long text is shown from shortly before `from`, where it begins to differ. */
static inline void tutor_put_text_(struct tutor_line_ *line, const char *text, size_t from)
{
    const size_t shown = 400, before = 60;
    size_t length = strlen(text), start = 0, end = length;
    if (length > shown) {
        start = from > before ? from - before : 0;
        if (start > length)
            start = length;
        while (start > 0 && ((unsigned char)text[start] & 0xC0) == 0x80)
            start--;
        end = length - start > shown ? start + shown : length;
        while (end < length && ((unsigned char)text[end] & 0xC0) == 0x80)
            end++;
    }
    tutor_say_(line, start ? "…\"" : "\"");
    for (size_t at = start; at < end; at++)
        tutor_put_letter_(line, (unsigned char)text[at], '"');
    tutor_say_(line, end < length ? "\"…" : "\"");
}

static inline size_t tutor_same_(const struct tutor_value_ *one, const struct tutor_value_ *other)
{
    const char *a = one->pointer, *b = other->pointer;
    size_t at = 0;
    if (one->kind == TUTOR_TEXT && other->kind == TUTOR_TEXT && a && b)
        while (a[at] && a[at] == b[at])
            at++;
    return at;
}

static inline void tutor_put_address_(struct tutor_line_ *line, const struct tutor_value_ *value,
                                      const struct tutor_value_ *wanted)
{
    uintmax_t here = tutor_bits_(value), there = tutor_bits_(wanted);
    uintmax_t apart = here > there ? here - there : there - here;
    if (!tutor_is_address_(wanted) || !wanted->pointer || apart > 1024 * 1024) {
        tutor_say_(line, wanted->pointer ? "another address" : "an address");
        return;
    }
    tutor_put_number_(line, "an address ", apart);
    tutor_say_(line, apart == 1 ? " byte" : " bytes");
    tutor_say_(line, here > there ? " further on" : " further back");
}

/* `code` is what stands for the value in the test: the name of an address that was wanted. */
static inline void tutor_put_value_(struct tutor_line_ *line, const struct tutor_value_ *value,
                                    const struct tutor_value_ *other, const char *code)
{
    char digits[64];
    int is_letter = value->kind == TUTOR_CHAR || other->kind == TUTOR_CHAR;
    int is_truth = value->kind == TUTOR_BOOL || other->kind == TUTOR_BOOL;
    if (tutor_is_address_(value) && !value->pointer) {
        tutor_say_(line, "NULL");
    } else if (value->kind == TUTOR_TEXT && (other->kind == TUTOR_TEXT || !other->pointer)) {
        tutor_put_text_(line, value->pointer, tutor_same_(value, other));
    } else if (tutor_is_address_(value)) {
        if (code)
            tutor_say_(line, code);
        else
            tutor_put_address_(line, value, other);
    } else if (value->kind == TUTOR_REAL) {
        snprintf(digits, sizeof digits, "%.*Lg", value->precision > 1e-6L ? 7 : 12, value->real);
        tutor_say_(line, digits);
    } else if (is_truth && !tutor_is_negative_(value) && tutor_bits_(value) < 2) {
        tutor_say_(line, tutor_bits_(value) ? "true" : "false");
    } else if (is_letter && !tutor_is_negative_(value) && tutor_bits_(value) < 128) {
        tutor_say_(line, "'");
        tutor_put_letter_(line, (unsigned char)tutor_bits_(value), '\'');
        tutor_say_(line, "'");
    } else if (tutor_is_negative_(value)) {
        tutor_put_number_(line, "-", 0 - (uintmax_t)value->number);
    } else {
        tutor_put_number_(line, "", tutor_bits_(value));
    }
}

/* Running and reporting. With TUTOR_FD the tutor runs one test and reads what became of it there,
 * never from what is printed. The first line of that file are the words that go before the record
 * of the start and before that of the end; it is taken out before any test begins, and kept so that
 * it does not look like one. */

#define TUTOR_WORD_ 32

struct tutor_state_ {
    int ready, fd, ran, failed;
    pid_t process;
    char words[2][TUTOR_WORD_ + 1];
    const char *only, *list;
};

/* How the process of a test that passed ends: `exit` inside of a test is no pass. */
#define TUTOR_PASSED_ 117

__attribute__((weak)) struct tutor_state_ tutor_state_;
__attribute__((weak)) void (*tutor_on_stub_)(const char *file, int line, const char *name);

static inline void tutor_tell_(const char *kind, const char *file, int line, const char *first,
                               const char *second)
{
    struct tutor_line_ said = {.length = 0};
    const char *kept = tutor_state_.words[strcmp(kind, "start") != 0];
    char word[TUTOR_WORD_ + 1] = {0};
    const char *fields[] = {word, kind, file, NULL, first, second};
    for (size_t at = 0; at < TUTOR_WORD_; at++)
        word[at] = (char)~kept[at];
    for (size_t at = 0; at < sizeof fields / sizeof *fields; at++) {
        size_t start;
        if (at)
            tutor_say_(&said, "\t");
        start = said.length;
        if (at == 3)
            tutor_put_number_(&said, "", (uintmax_t)line);
        else
            tutor_say_(&said, fields[at]);
        for (; start < said.length; start++)
            if (said.bytes[start] == '\n' || said.bytes[start] == '\t')
                said.bytes[start] = ' ';
    }
    said.bytes[said.length++] = '\n';
    if (write(tutor_state_.fd, said.bytes, said.length) < 0)
        _exit(2);
}

/* A test ends here: only its own process may speak for it, not one that it has forked. */
__attribute__((noreturn)) static inline void tutor_end_(const char *kind, const char *file,
                                                        int line, const char *first,
                                                        const char *second)
{
    fflush(NULL);
    if (getpid() != tutor_state_.process)
        _exit(1);
    if (tutor_state_.fd >= 0)
        tutor_tell_(kind, file, line, first, second);
    else if (strcmp(kind, "unequal") == 0)
        printf("# %s:%d: expected %s, found %s\n", file, line, first, second);
    else if (strcmp(kind, "passed") != 0)
        printf("# %s:%d: %s %s\n", file, line, first,
               strcmp(kind, "stub") == 0 ? "is not written yet" : "is false");
    fflush(stdout);
    _exit(strcmp(kind, "passed") == 0 ? TUTOR_PASSED_ : 1);
}

static inline void tutor_false_(const char *file, int line, const char *condition)
{
    tutor_end_("false", file, line, condition, "");
}

static inline void tutor_unequal_(const char *file, int line, const char *code,
                                  const struct tutor_value_ *expected,
                                  const struct tutor_value_ *actual)
{
    struct tutor_line_ first = {.length = 0}, second = {.length = 0};
    tutor_put_value_(&first, expected, actual, code);
    tutor_put_value_(&second, actual, expected, NULL);
    first.bytes[first.length] = second.bytes[second.length] = '\0';
    tutor_end_("unequal", file, line, first.bytes, second.bytes);
}

static inline void tutor_not_written_(const char *file, int line, const char *name)
{
    tutor_end_("stub", file, line, name, "");
}

static inline void tutor_take_words_(int fd)
{
    char line[2 * TUTOR_WORD_ + 2];
    if (read(fd, line, sizeof line) != (ssize_t)sizeof line || lseek(fd, 0, SEEK_SET) != 0
        || ftruncate(fd, 0) != 0)
        _exit(2);
    for (int at = 0; at < TUTOR_WORD_; at++) {
        tutor_state_.words[0][at] = (char)~line[at];
        tutor_state_.words[1][at] = (char)~line[TUTOR_WORD_ + 1 + at];
    }
}

static inline void tutor_begin_(void)
{
    const char *fd = getenv("TUTOR_FD");
    tutor_state_.ready = 1;
    tutor_state_.fd = fd ? atoi(fd) : -1;
    tutor_state_.only = getenv("TEST_ONLY");
    tutor_state_.list = getenv("TEST_LIST");
    tutor_on_stub_ = tutor_not_written_;
    if (tutor_state_.fd >= 0) {
        tutor_take_words_(tutor_state_.fd);
        fcntl(tutor_state_.fd, F_SETFD, FD_CLOEXEC);
        unsetenv("TUTOR_FD");
    }
    /* What was printed before a crash is there to be read. */
    setvbuf(stdout, NULL, _IONBF, 0);
}

/* `only` holds names with blanks between them; nothing means all. */
static inline int tutor_wants_(const char *only, const char *name)
{
    size_t length = strlen(name);
    const char *at = only;
    if (!only || !*only)
        return 1;
    while ((at = strstr(at, name)) != NULL) {
        if ((at == only || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return 1;
        at += length;
    }
    return 0;
}

static inline void tutor_alone_(const char *name, void (*test)(void))
{
    tutor_state_.process = getpid();
    if (tutor_state_.fd >= 0)
        tutor_tell_("start", "", 0, name, "");
    test();
    tutor_end_("passed", "", 0, name, "");
}

static inline void tutor_run_(const char *name, void (*test)(void))
{
    int status = 0, passed;
    pid_t child;
    if (!tutor_state_.ready)
        tutor_begin_();
    if (!tutor_wants_(tutor_state_.only, name))
        return;
    if (tutor_state_.list) {
        puts(name);
        return;
    }
    if (tutor_state_.fd >= 0) {
        tutor_alone_(name, test);
        return;
    }
    child = fork();
    if (child == 0) {
        alarm(10);
        tutor_alone_(name, test);
    }
    waitpid(child, &status, 0);
    passed = WIFEXITED(status) && WEXITSTATUS(status) == TUTOR_PASSED_;
    tutor_state_.ran++;
    tutor_state_.failed += !passed;
    if (WIFSIGNALED(status))
        printf("# ended by signal %d%s\n", WTERMSIG(status),
               WTERMSIG(status) == SIGALRM ? ": it took more than 10 seconds" : "");
    else if (!passed && WEXITSTATUS(status) != 1)
        printf("# ended the run with exit code %d\n", WEXITSTATUS(status));
    printf("%s %d - %s\n", passed ? "ok" : "not ok", tutor_state_.ran, name);
}

static inline int tutor_summary_(void)
{
    if (!tutor_state_.ready)
        tutor_begin_();
    if (!tutor_state_.list && tutor_state_.fd < 0)
        printf("1..%d\n# %d of %d passed\n", tutor_state_.ran,
               tutor_state_.ran - tutor_state_.failed, tutor_state_.ran);
    exit(tutor_state_.failed ? 1 : 0);
}

#endif
