/* Linked into test programs for the tutor's own runs, not by the Makefile.
 *
 * With TUTOR_SERVE a program is loaded once and then forks for every test that is asked for over
 * that socket: the fork goes on to `main` as if it had just been started for this test alone. The
 * answer is how it ended, and whether all is as before it. If not, this process ends, and whoever
 * contains it ends what is left. As long as a test runs, a sign of life is sent now and then.
 *
 * No test can write to the memory of this process or take its descriptors. One that kills or stops
 * it gains nothing: tests without an answer are run again, each by a program of its own.
 */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define NAME_BYTES 1024
#define MOST_RESIDENT (1024L * 1024 * 1024) /* hard_rss_limit_mb, of which no fork takes notice */
#define EVERY_MS 100
#define ALIVE "."
#define DEEPEST 64
#define PIDFD_OPEN 434 /* everywhere; some headers do not have it */

static uint64_t mark;

static void count(uint64_t number)
{
    mark = (mark ^ number) * 1099511628211u;
}

static int count_file(const char *path, const struct stat *status, int kind, struct FTW *where)
{
    (void)path;
    (void)kind;
    (void)where;
    count((uint64_t)status->st_ino);
    count((uint64_t)status->st_ctim.tv_sec);
    count((uint64_t)status->st_ctim.tv_nsec);
    return 0;
}

static void count_place(const char *path)
{
    struct statvfs room;
    struct stat status;
    if (statvfs(path, &room) != 0 || room.f_flag & ST_RDONLY || stat(path, &status) != 0)
        return;
    count(room.f_bfree);
    count(room.f_ffree);
    count_file(path, &status, 0, NULL);
}

/* The folders above: to lose the rights to one is to lose what is in it. */
static void count_parents(const char *path)
{
    char above[PATH_MAX];
    struct statvfs room;
    struct stat status, below = {0};
    int size = snprintf(above, sizeof above, "%s", path), depth;
    for (depth = 0; depth < DEEPEST && size + 3 < (int)sizeof above; depth++) {
        memcpy(above + size, "/..", 4);
        size += 3;
        if (statvfs(above, &room) != 0 || stat(above, &status) != 0) {
            count(0);
            return;
        }
        if (status.st_ino == below.st_ino && status.st_dev == below.st_dev)
            return; /* nothing is above the root */
        if (!(room.f_flag & ST_RDONLY))
            count_file(above, &status, 0, NULL);
        below = status;
    }
}

/* What the kernel keeps for this process, and hands on to every fork. */
static void count_process(void)
{
    struct rlimit limit;
    struct sched_param order = {0};
    cpu_set_t processors;
    int which;
    for (which = 0; which < RLIM_NLIMITS; which++)
        if (getrlimit(which, &limit) == 0) {
            count(limit.rlim_cur);
            count(limit.rlim_max);
        }
    count((uint64_t)getpriority(PRIO_PROCESS, 0));
    count((uint64_t)sched_getscheduler(0));
    sched_getparam(0, &order);
    count((uint64_t)order.sched_priority);
    CPU_ZERO(&processors);
    sched_getaffinity(0, sizeof processors, &processors);
    for (which = 0; which < CPU_SETSIZE; which++)
        count((uint64_t)CPU_ISSET(which, &processors));
}

static void count_text(const char *path)
{
    char bytes[4096];
    ssize_t size, at;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    while (fd >= 0 && (size = read(fd, bytes, sizeof bytes)) > 0)
        for (at = 0; at < size; at++)
            count((unsigned char)bytes[at]);
    close(fd);
}

/* Changes with whatever a test can leave behind for the next one, its processes excepted. */
static uint64_t state(void)
{
    const char *own = getenv("TMPDIR");
    mark = 14695981039346656037u;
    nftw(".", count_file, 16, FTW_PHYS | FTW_MOUNT);
    count_place(".");
    count_parents(".");
    if (own) {
        nftw(own, count_file, 16, FTW_PHYS); /* also what is mounted in it: files of the reports */
        count_place(own);
        count_parents(own);
    }
    count_place("/tmp");
    count_place("/var/tmp");
    count_place("/dev/shm");
    count_text("/proc/sysvipc/shm");
    count_text("/proc/sysvipc/sem");
    count_text("/proc/sysvipc/msg");
    count_process();
    return mark;
}

/* The name of the next test, with descriptors for what it prints and for what it says. */
static int asked(int link, char *name, int fds[2])
{
    union {
        struct cmsghdr aligned;
        char bytes[CMSG_SPACE(2 * sizeof(int))];
    } control;
    struct iovec text = {name, NAME_BYTES - 1};
    struct msghdr message = {.msg_iov = &text, .msg_iovlen = 1, .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    ssize_t size = recvmsg(link, &message, 0);
    struct cmsghdr *head = size > 0 ? CMSG_FIRSTHDR(&message) : NULL;
    if (!head || message.msg_flags & (MSG_TRUNC | MSG_CTRUNC) || head->cmsg_type != SCM_RIGHTS
        || head->cmsg_len != CMSG_LEN(2 * sizeof(int)))
        return 0;
    memcpy(fds, CMSG_DATA(head), 2 * sizeof(int));
    name[size] = '\0';
    return 1;
}

static void become(int link, const char *name, const int fds[2])
{
    char number[16];
    close(link);
    setsid();
    if (dup2(fds[0], 1) < 0 || dup2(fds[0], 2) < 0)
        _exit(2);
    close(fds[0]);
    snprintf(number, sizeof number, "%d", fds[1]);
    unsetenv("TUTOR_SERVE");
    if (setenv("TUTOR_FD", number, 1) != 0 || setenv("TEST_ONLY", name, 1) != 0)
        _exit(2);
    prctl(PR_SET_DUMPABLE, 1);
}

static long resident(pid_t process)
{
    char path[48];
    long pages = 0;
    FILE *file;
    snprintf(path, sizeof path, "/proc/%ld/statm", (long)process);
    file = fopen(path, "re");
    if (file) {
        if (fscanf(file, "%*s %ld", &pages) != 1)
            pages = 0;
        fclose(file);
    }
    return pages * sysconf(_SC_PAGESIZE);
}

static void say_alive(int link)
{
    send(link, ALIVE, sizeof ALIVE - 1, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/* How the process ended; this one ends if nobody wants to know, or if it takes too much memory. */
static int ending(int link, pid_t process)
{
    int status, handle = (int)syscall(PIDFD_OPEN, process, 0);
    struct pollfd events[] = {{handle, POLLIN, 0}, {link, POLLIN, 0}};
    if (handle < 0)
        _exit(0);
    while (!events[0].revents) {
        int count = poll(events, 2, EVERY_MS);
        if (events[1].revents || (count < 0 && errno != EINTR)
            || (count == 0 && resident(process) > MOST_RESIDENT))
            _exit(0);
        if (count == 0)
            say_alive(link);
    }
    close(handle);
    if (waitpid(process, &status, 0) != process)
        _exit(0);
    return status;
}

static int is_alone(void)
{
    pid_t ended;
    while ((ended = waitpid(-1, NULL, WNOHANG)) > 0)
        continue;
    return ended < 0 && errno == ECHILD;
}

__attribute__((constructor)) static void serve(void)
{
    const char *number = getenv("TUTOR_SERVE");
    char name[NAME_BYTES], answer[32];
    uint64_t before;
    int link, fds[2], error = errno;
    if (!number)
        return;
    link = atoi(number);
    if (fcntl(link, F_SETFD, FD_CLOEXEC) != 0 || prctl(PR_SET_DUMPABLE, 0) != 0
        || prctl(PR_SET_CHILD_SUBREAPER, 1) != 0)
        _exit(0);
    before = state();
    say_alive(link);
    while (asked(link, name, fds)) {
        int status, clean;
        pid_t process = fork();
        if (process == 0) {
            become(link, name, fds);
            errno = error;
            return;
        }
        if (process < 0)
            _exit(0);
        close(fds[0]);
        close(fds[1]);
        status = ending(link, process);
        clean = is_alone() && state() == before;
        snprintf(answer, sizeof answer, "%d %d", status, clean);
        if (write(link, answer, strlen(answer)) < 0 || !clean)
            _exit(0);
    }
    _exit(0);
}
