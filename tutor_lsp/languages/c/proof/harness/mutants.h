/* Copied into a hidden copy of an exercise: tries wrong versions of its functions, each in a process
 * of its own. */
#ifndef TUTOR_MUTANTS_H
#define TUTOR_MUTANTS_H

#include <setjmp.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>

#include "test.h"

enum { TUTOR_TIMES = 10, TUTOR_FLOOR_US = 30000, TUTOR_VERSION_US = 500000, TUTOR_CASE_US = 50000, TUTOR_WALL_S = 20,
       TUTOR_BUDGET_MS = 500, TUTOR_ENDS = 20, TUTOR_LATE = 3 };

struct tutor_unit_ {
    const char *unit;
    const int *versions;
    int count;
    void (*const *tests)(void);
    int test_count;
    void (*const *watched)(void);
    int case_count;
    const char *case_text;
    int fails;
};

/* What an input came to: its records, a line each. Without `there`, nothing came back. */
struct tutor_records_ {
    char *text;
    unsigned length;
    char there, outside;
};

extern int variant_choice_;
__attribute__((weak)) void (*domain_outside_)(void);

static short (*tutor_cases_)[7];
static const short *tutor_case_;
static struct tutor_line_ tutor_said_;
static sigjmp_buf tutor_next_;

static int tutor_pick_(int number)
{
    for (int at = 1; at < 7; at += 2)
        if (tutor_case_ && tutor_case_[at] == number)
            return tutor_case_[at + 1];
    return 0;
}

static void tutor_record_(int number, const struct tutor_value_ *value, int same)
{
    tutor_put_number_(&tutor_said_, "", (uintmax_t)number);
    tutor_say_(&tutor_said_, " ");
    if (value->kind == TUTOR_POINTER && value->pointer)
        tutor_say_(&tutor_said_, same ? "what is expected" : "another address");
    else
        tutor_put_value_(&tutor_said_, value, value, NULL);
    tutor_say_(&tutor_said_, "\n");
}

#define TUTOR_RECORD_(number, expected, actual)                                       \
    do {                                                                              \
        const struct tutor_value_ tutor_expected_ = TUTOR_VALUE_(expected);           \
        const struct tutor_value_ tutor_actual_ = TUTOR_VALUE_(actual);               \
        tutor_record_(number, &tutor_actual_,                                         \
                      tutor_expected_.pointer == tutor_actual_.pointer);              \
    } while (0)

#define TUTOR_RECORD_TEXT_(number, actual)                                            \
    do {                                                                              \
        const struct tutor_value_ tutor_actual_ = tutor_text_(actual);                \
        tutor_record_(number, &tutor_actual_, 0);                                     \
    } while (0)

#define TUTOR_RECORD_TRUTH_(number, condition)                                        \
    do {                                                                              \
        const struct tutor_value_ tutor_actual_ = tutor_bool_((condition) ? 1 : 0);   \
        tutor_record_(number, &tutor_actual_, 0);                                     \
    } while (0)

static void tutor_limit_(long microseconds)
{
    struct itimerval limit = {.it_value = {microseconds / 1000000, microseconds % 1000000}};
    signal(SIGPROF, SIG_DFL);
    signal(SIGALRM, SIG_DFL);
    setitimer(ITIMER_PROF, &limit, NULL);
    alarm(TUTOR_WALL_S);
}

static void tutor_quiet_(void)
{
    int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, 1);
    dup2(nowhere, 2);
}

static long tutor_used_(void)
{
    struct rusage all;
    getrusage(RUSAGE_CHILDREN, &all);
    return (all.ru_utime.tv_sec + all.ru_stime.tv_sec) * 1000000 + all.ru_utime.tv_usec
        + all.ru_stime.tv_usec;
}

/* Whether all tests pass on a version; `used` is how long that took. */
static int tutor_passes_(const struct tutor_unit_ *unit, int version, long limit, long *used)
{
    long before = tutor_used_();
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        tutor_quiet_();
        tutor_limit_(limit);
        variant_choice_ = version;
        for (int at = 0; at < unit->test_count; at++)
            unit->tests[at]();
        _exit(TUTOR_PASSED_);
    }
    waitpid(child, &status, 0);
    if (used)
        *used = tutor_used_() - before;
    return WIFEXITED(status) && WEXITSTATUS(status) == TUTOR_PASSED_;
}

static void tutor_outside_(void)
{
    siglongjmp(tutor_next_, 1);
}

static void tutor_write_(int fd, const void *data, size_t length)
{
    const char *at = data;
    while (length > 0) {
        ssize_t done = write(fd, at, length);
        if (done <= 0)
            _exit(2);
        at += done;
        length -= (size_t)done;
    }
}

static int tutor_read_(int fd, void *data, size_t length)
{
    char *at = data;
    while (length > 0) {
        ssize_t done = read(fd, at, length);
        if (done <= 0)
            return 0;
        at += done;
        length -= (size_t)done;
    }
    return 1;
}

/* Runs inputs until the process ends; those that are `there` already are left out. Returns whether
 * it ended because there was no time left, which only the reference has to look at. */
static int tutor_run_cases_(const struct tutor_unit_ *unit, int version,
                             struct tutor_records_ *found)
{
    unsigned head[3];
    int ends[2], status = 0;
    pid_t child;
    if (pipe(ends) != 0)
        return 1;
    child = fork();
    if (child == 0) {
        close(ends[0]);
        tutor_quiet_();
        variant_choice_ = version;
        domain_outside_ = tutor_outside_;
        for (int at = 0; at < unit->case_count; at++) {
            volatile unsigned outside = 0;
            if (found[at].there)
                continue;
            if (version == 0 && clock() > (clock_t)TUTOR_BUDGET_MS * (CLOCKS_PER_SEC / 1000))
                _exit(TUTOR_LATE);
            tutor_limit_(TUTOR_CASE_US);
            tutor_case_ = tutor_cases_[at];
            tutor_said_.length = 0;
            if (sigsetjmp(tutor_next_, 0) == 0)
                unit->watched[tutor_case_[0]]();
            else
                outside = 1;
            head[0] = (unsigned)at;
            head[1] = (unsigned)tutor_said_.length;
            head[2] = outside;
            tutor_write_(ends[1], head, sizeof head);
            tutor_write_(ends[1], tutor_said_.bytes, tutor_said_.length);
        }
        _exit(0);
    }
    close(ends[1]);
    while (tutor_read_(ends[0], head, sizeof head)) {
        struct tutor_records_ *each = &found[head[0]];
        each->text = malloc(head[1] + 1);
        if (!each->text || !tutor_read_(ends[0], each->text, head[1]))
            break;
        each->text[head[1]] = '\0';
        each->length = head[1];
        each->outside = head[2] != 0;
        each->there = 1;
    }
    close(ends[0]);
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == TUTOR_LATE;
}

/* The next input that has not been run; it is where the process ended. */
static int tutor_first_left_(const struct tutor_unit_ *unit, const struct tutor_records_ *found)
{
    for (int at = 0; at < unit->case_count; at++)
        if (!found[at].there)
            return at;
    return -1;
}

static void tutor_tell_apart_(int version, int at, const char *mine, const char *theirs)
{
    const char *wanted, *given;
    int record;
    while (*mine && *theirs) {
        size_t one = strcspn(mine, "\n"), other = strcspn(theirs, "\n");
        if (one != other || strncmp(mine, theirs, one) != 0)
            break;
        mine += one + (mine[one] == '\n');
        theirs += other + (theirs[other] == '\n');
    }
    record = atoi(*mine ? mine : theirs);
    wanted = strchr(mine, ' ');
    given = strchr(theirs, ' ');
    wanted = wanted ? wanted + 1 : "";
    given = given ? given + 1 : "no result: it crashes or does not end";
    printf("tutor-apart %d %d %d\t%.*s\t%.*s\n", version, at, record,
           (int)strcspn(wanted, "\n\t"), wanted, (int)strcspn(given, "\n\t"), given);
}

static void tutor_compare_(const struct tutor_unit_ *unit, int version,
                           const struct tutor_records_ *first)
{
    size_t size = sizeof *first * (size_t)unit->case_count;
    struct tutor_records_ *found = malloc(size);
    int left, crashes = 0, count = 0;
    if (!found)
        return;
    memset(found, 0, size);
    for (int at = 0; at < unit->case_count; at++)
        found[at].there = first[at].outside;
    for (;;) {
        tutor_run_cases_(unit, version, found);
        left = tutor_first_left_(unit, found);
        for (int at = 0; at < (left < 0 ? unit->case_count : left); at++) {
            if (first[at].outside || found[at].outside)
                continue;
            count++;
            if (strcmp(first[at].text, found[at].text) != 0) {
                tutor_tell_apart_(version, at, first[at].text, found[at].text);
                return;
            }
        }
        if (left < 0 || crashes++)
            break;
        tutor_tell_apart_(version, left, first[left].text, "");
        return;
    }
    printf("tutor-alike %d %d\n", version, count);
}

static void tutor_try_(const struct tutor_unit_ *unit)
{
    long used = 0, limit;
    char *marks = calloc((size_t)unit->count + 1, 1);
    struct tutor_records_ *first = calloc((size_t)unit->case_count + 1, sizeof *first);
    struct tutor_records_ *again = calloc((size_t)unit->case_count + 1, sizeof *again);
    char *text = (char *)unit->case_text;
    int passed = 0, left;
    if (!marks || !first || !again)
        return;
    fflush(stdout);
    if (!unit->fails && !tutor_passes_(unit, 0, 10000000, &used))
        return;
    limit = TUTOR_TIMES * used > TUTOR_FLOOR_US ? TUTOR_TIMES * used : TUTOR_FLOOR_US;
    if (unit->fails) /* there is no reference whose time it could be */
        limit = TUTOR_VERSION_US;
    for (int at = 0; at < unit->count; at++) {
        int passes = tutor_passes_(unit, unit->versions[at], limit, NULL);
        marks[at] = passes ? 's' : 'k';
        passed += passes;
    }
    printf("tutor-mutants %s %s\n", unit->unit, marks);
    if (passed == 0 || unit->case_count == 0)
        return;
    tutor_cases_ = calloc((size_t)unit->case_count, sizeof *tutor_cases_);
    if (!tutor_cases_)
        return;
    for (int at = 0; at < 7 * unit->case_count; at++)
        tutor_cases_[at / 7][at % 7] = (short)strtol(text, &text, 10);
    fflush(stdout);
    for (int time = 0; time < 2; time++) {
        struct tutor_records_ *found = time ? again : first;
        int late = 0;
        for (int ends = 0; ends < TUTOR_ENDS && !late; ends++) {
            late = tutor_run_cases_(unit, 0, found);
            left = tutor_first_left_(unit, found);
            if (left < 0)
                break;
            if (!late)
                found[left].there = found[left].outside = 1;
        }
        for (int at = 0; at < unit->case_count; at++)
            if (!found[at].there)
                found[at].there = found[at].outside = 1;
    }
    for (int at = 0; at < unit->case_count; at++)
        if (!first[at].outside)
            first[at].outside = again[at].outside || strcmp(first[at].text, again[at].text) != 0;
    for (int at = 0; at < unit->count; at++)
        if (marks[at] == 's')
            tutor_compare_(unit, unit->versions[at], first);
}

#endif
