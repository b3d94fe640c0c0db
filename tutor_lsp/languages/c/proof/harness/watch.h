/* Put into a test file in a hidden copy, where it looks at what the code comes to. */
#include <signal.h>
#include <sys/time.h>

enum { TUTOR_LIMIT_US = 200 * 1000, TUTOR_PATIENCE_S = 2, TUTOR_ENDLESS = 3, TUTOR_LONG = 240, TUTOR_ITEMS = 64 };

static struct tutor_line_ tutor_seen_;
static int tutor_watching_;

void __asan_on_error(void);

#define TUTOR_SEE(value) tutor_see_("= ", TUTOR_VALUE_(value))
#define TUTOR_AFTER(name)                                                             \
    do {                                                                              \
        size_t tutor_at_;                                                             \
        tutor_next_();                                                                \
        tutor_say_(&tutor_seen_, #name);                                              \
        for (tutor_at_ = 0; tutor_at_ < sizeof(name) / sizeof *(name)                 \
                            && tutor_at_ < TUTOR_ITEMS; tutor_at_++) {                \
            tutor_item_(TUTOR_VALUE_((name)[tutor_at_]));                             \
            if (_Generic((name)[tutor_at_], char: 1, default: 0) && !(name)[tutor_at_]) \
                break;                                                                \
        }                                                                             \
    } while (0)

static inline void tutor_next_(void)
{
    tutor_say_(&tutor_seen_, tutor_seen_.length ? " | " : "");
}

static inline void tutor_item_(struct tutor_value_ value)
{
    tutor_say_(&tutor_seen_, " ");
    tutor_put_value_(&tutor_seen_, &value, &value, NULL);
}

static inline void tutor_see_(const char *kind, struct tutor_value_ value)
{
    tutor_next_();
    tutor_say_(&tutor_seen_, kind);
    tutor_put_value_(&tutor_seen_, &value, &value, tutor_is_address_(&value) ? "an address" : NULL);
}

/* What a case finds where nothing was written yet is always the same. */
__attribute__((noinline)) static void tutor_scrub_(void)
{
    volatile unsigned char room[32 * 1024];
    for (size_t at = 0; at < sizeof room; at++)
        room[at] = 0xA5;
}

static inline void tutor_shorten_(char *line)
{
    size_t length = strlen(line);
    uint32_t mark = 2166136261u;
    if (length <= TUTOR_LONG)
        return;
    for (size_t at = 0; at < length; at++)
        mark = (mark ^ (unsigned char)line[at]) * 16777619u;
    snprintf(line + TUTOR_LONG - 12, 13, "...#%08x", mark);
}

/* Called before the report of a sanitizer, which nobody reads and which takes long. */
void __asan_on_error(void)
{
    if (tutor_watching_)
        _exit(1);
}

/* Runs cases from one on, in a process of their own, until one takes it along. */
static inline void tutor_child_(void (*const cases[])(void), int number, int count, int out)
{
    char line[sizeof tutor_seen_.bytes + 8];
    const struct itimerval limit = {.it_value = {.tv_usec = TUTOR_LIMIT_US}};
    int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, 2);
    signal(SIGALRM, SIG_DFL);
    signal(SIGPROF, SIG_DFL);
    tutor_watching_ = 1;
    for (; number < count; number++) {
        printf("tutor-probe %d ! crash", number);
        fflush(stdout);
        alarm(TUTOR_PATIENCE_S);
        setitimer(ITIMER_PROF, &limit, NULL);
        tutor_seen_.length = 0;
        tutor_scrub_();
        cases[number]();
        tutor_seen_.bytes[tutor_seen_.length] = '\0';
        snprintf(line, sizeof line, "%s%s", strncmp(tutor_seen_.bytes, "= ", 2) ? "= | " : "",
                 tutor_seen_.bytes);
        tutor_shorten_(line);
        printf("\ntutor-probe %d %s\n", number, line);
        fflush(stdout);
        if (write(out, ".", 1) < 0)
            _exit(1);
    }
    _exit(0);
}

/* Print what each case comes to, a line for each. */
static inline void tutor_watch_(void (*const cases[])(void), int count)
{
    int endless = 0, number = 0;
    while (number < count && endless < TUTOR_ENDLESS) {
        int fds[2], status = 0;
        char done;
        pid_t child;
        fflush(stdout);
        if (pipe(fds) != 0 || (child = fork()) < 0)
            return;
        if (child == 0) {
            close(fds[0]);
            tutor_child_(cases, number, count, fds[1]);
        }
        close(fds[1]);
        while (read(fds[0], &done, 1) == 1)
            number++;
        close(fds[0]);
        waitpid(child, &status, 0);
        if (number == count)
            break;
        if (WIFSIGNALED(status)
            && (WTERMSIG(status) == SIGALRM || WTERMSIG(status) == SIGPROF)) {
            endless++;
            printf("\ntutor-probe %d ~\n", number);
        } else {
            printf("\ntutor-probe %d ! crash\n", number);
        }
        number++;
    }
    fflush(stdout);
}
