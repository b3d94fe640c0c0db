/* Copied into a hidden copy of an exercise, where it stands around its stubs. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "domain_guard.h"

enum { LIMIT_S = 1, HANGS = 3, OUTSIDE = 86 };

struct seen {
    char unit[16];
    int depth;
    _Bool asked, called, refused, inside;
};

static struct seen own, *seen = &own;

static _Bool is_mine(const char *unit)
{
    return strcmp(unit, seen->unit) == 0;
}

/* Whether a call comes from outside; then it must be answered whether its unit takes it. */
_Bool domain_ask_(const char *unit)
{
    if (seen->depth++ > 0)
        return 0;
    seen->asked = is_mine(unit);
    return 1;
}

/* What is done about a call that is not taken, if its process is to go on. */
void (*domain_outside_)(void);

void domain_answer_(const char *unit, _Bool taken)
{
    seen->asked = 0;
    if (!taken) {
        seen->refused |= is_mine(unit);
        seen->depth = 0;
        if (domain_outside_)
            domain_outside_();
        _exit(OUTSIDE);
    }
    seen->inside = is_mine(unit);
    seen->called |= seen->inside;
}

void domain_leave_(void)
{
    if (--seen->depth == 0)
        seen->inside = 0;
}

static char one_case(const char *unit, void (*test)(void))
{
    int status = 0;
    pid_t child;

    memset(seen, 0, sizeof *seen);
    strncpy(seen->unit, unit, sizeof seen->unit - 1);
    child = fork();
    if (child < 0)
        return 'n';
    if (child == 0) {
        int nowhere = open("/dev/null", O_WRONLY);

        dup2(nowhere, 1);
        dup2(nowhere, 2);
        signal(SIGALRM, SIG_DFL);
        alarm(LIMIT_S);
        test();
        _exit(0);
    }
    waitpid(child, &status, 0);
    if (seen->asked)
        return 'b';
    if (seen->refused)
        return 'r';
    if (seen->inside)
        return WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM ? 'h' : 'x';
    return seen->called ? 'a' : 'n';
}

void domain_look_(const char *unit, void (*const cases[])(void), int count)
{
    int hangs = 0;
    void *shared = mmap(NULL, sizeof own, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (shared != MAP_FAILED)
        seen = shared;
    fflush(stdout);
    printf("tutor-domain %s ", unit);
    for (int number = 0; number < count && hangs < HANGS; number++) {
        char mark;

        fflush(stdout);
        mark = one_case(unit, cases[number]);
        hangs += mark == 'h';
        putchar(mark);
    }
    putchar('\n');
    fflush(stdout);
}
