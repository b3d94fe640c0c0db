/* Loaded before a program whose run the proof compares with an earlier one: it works in another
 * folder, which has all that is in the exercise's, and its clock is ahead. What measures time that
 * passes is left as it is.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long ahead_s = 1000L * 24 * 60 * 60 + 11 * 60 * 60 + 17 * 60;

int clock_gettime(clockid_t clock, struct timespec *now)
{
    int failed = (int)syscall(SYS_clock_gettime, clock, now);
    if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        now->tv_sec += ahead_s;
    return failed;
}

time_t time(time_t *to)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    if (to)
        *to = now.tv_sec;
    return now.tv_sec;
}

int gettimeofday(struct timeval *restrict to, void *restrict zone)
{
    struct timespec now = {0};
    int failed = clock_gettime(CLOCK_REALTIME, &now);
    (void)zone;
    to->tv_sec = now.tv_sec;
    to->tv_usec = now.tv_nsec / 1000;
    return failed;
}

int timespec_get(struct timespec *to, int base)
{
    return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, to) == 0 ? base : 0;
}

/* Whoever waits until a time of the clock would wait as long as it is ahead. */
static struct timespec steady(const struct timespec *until)
{
    struct timespec wall = {0}, now = {0};
    long seconds, nanos;
    clock_gettime(CLOCK_REALTIME, &wall);
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (labs(until->tv_sec - now.tv_sec) < labs(until->tv_sec - wall.tv_sec))
        return *until; /* of the other clock already */
    seconds = until->tv_sec - wall.tv_sec;
    nanos = now.tv_nsec + until->tv_nsec - wall.tv_nsec;
    now.tv_sec += seconds + (nanos >= 1000000000L) - (nanos < 0);
    now.tv_nsec = (nanos + 1000000000L) % 1000000000L;
    return now;
}

int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
                           const struct timespec *until)
{
    struct timespec at = steady(until);
    return pthread_cond_clockwait(cond, mutex, CLOCK_MONOTONIC, &at);
}

int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until)
{
    struct timespec at = steady(until);
    return pthread_mutex_clocklock(mutex, CLOCK_MONOTONIC, &at);
}

int sem_timedwait(sem_t *sem, const struct timespec *until)
{
    struct timespec at = steady(until);
    return sem_clockwait(sem, CLOCK_MONOTONIC, &at);
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *until, struct timespec *left)
{
    struct timespec at = *until;
    if (flags & TIMER_ABSTIME && clock == CLOCK_REALTIME)
        at.tv_sec -= ahead_s;
    return syscall(SYS_clock_nanosleep, clock, flags, &at, left) == 0 ? 0 : errno;
}

__attribute__((constructor)) static void go(void)
{
    char here[PATH_MAX], there[PATH_MAX], from[2 * PATH_MAX], to[2 * PATH_MAX];
    const char *own = getenv("TMPDIR");
    struct dirent *entry;
    DIR *all;
    if (getenv("TUTOR_OWN_CLOCK"))
        ahead_s = 0;
    if (!own || getenv("TUTOR_ELSEWHERE") || !getcwd(here, sizeof here))
        return; /* a program that is started there finds what the one that starts it wrote */
    snprintf(there, sizeof there, "%s/elsewhere-%ld", own, (long)getpid());
    if (mkdir(there, 0700) != 0 || !(all = opendir(here)))
        return;
    while ((entry = readdir(all))) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(from, sizeof from, "%s/%s", here, entry->d_name);
        snprintf(to, sizeof to, "%s/%s", there, entry->d_name);
        if (symlink(from, to) != 0)
            break;
    }
    closedir(all);
    if (chdir(there) == 0) {
        setenv("PWD", there, 1);
        setenv("TUTOR_ELSEWHERE", there, 1);
    }
}
