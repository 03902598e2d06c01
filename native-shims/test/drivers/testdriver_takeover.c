/* What a driver might do to the threads of its host, so that it outlives the core. Each answers 0 when it is done, else the negated errno. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "testdriver.h"

#define FILES 64
#define PAGE 4096ul

static void stay(int signal)
{
    (void)signal;
    for (;;)
        usleep(1000000);
}

/* What the kernel takes: the C library gives nobody a handler for the signals that it uses itself, 32 and 33. */
static int handle_raw(int signal, void (*handler)(int))
{
    const unsigned long has_restorer = 0x04000000;
    struct {
        void (*handler)(int);
        unsigned long flags;
        void (*restorer)(int);
        uint64_t mask;
    } action = {.handler = handler, .flags = has_restorer, .restorer = handler};
    return syscall(SYS_rt_sigaction, signal, &action, NULL, sizeof action.mask) ? -errno : 0;
}

int test_hold_threads(void)
{
    static const int signals[] = {SIGUSR1, 32, 33};
    DIR *tasks = opendir("/proc/self/task");
    if (!tasks)
        return -errno;
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        if (handle_raw(signals[i], stay))
            return -errno;
    for (struct dirent *t = readdir(tasks); t; t = readdir(tasks)) {
        int id = atoi(t->d_name);
        for (size_t i = 0; id && id != gettid() && i < sizeof signals / sizeof signals[0]; i++)
            if (syscall(SYS_tgkill, getpid(), id, signals[i]) && !(signals[i] == 33 && errno == EPERM))
                return -errno;
    }
    closedir(tasks);
    return 0;
}

/*
 * Whatever the host has open, the core's socket too, is a pipe from here on that never closes. What it was stays open under another number, so
 * that the core sees no hang-up.
 */
static int take_descriptors(void)
{
    int pipe[2];
    if (pipe2(pipe, O_CLOEXEC))
        return -errno;
    for (int fd = 3; fd < FILES; fd++) {
        if (fd == pipe[0] || fd == pipe[1] || fcntl(fd, F_GETFD) < 0)
            continue;
        if (fcntl(fd, F_DUPFD_CLOEXEC, FILES) < 0 || dup3(pipe[0], fd, O_CLOEXEC) < 0)
            return -errno;
    }
    return 0;
}

/* Who calls the function goes round in it for ever. */
static int patch(void *function)
{
#if defined(__x86_64__)
    static const uint8_t loop[] = {0xeb, 0xfe};
#else
    static const uint8_t loop[] = {0x00, 0x00, 0x00, 0x14};
#endif
    if (!function)
        return -ENOENT;
    void *page = (void *)((uintptr_t)function & ~(PAGE - 1));
    if (mprotect(page, 2 * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC))
        return -errno;
    memcpy(function, loop, sizeof loop);
    __builtin___clear_cache((char *)function, (char *)function + sizeof loop);
    return 0;
}

int test_take_watch(void)
{
    int rc = take_descriptors();
    rc = rc ? rc : patch(dlsym(RTLD_DEFAULT, "_exit"));
    return rc ? rc : patch(dlsym(RTLD_DEFAULT, "exit"));
}

static void end_thread(int signal)
{
    (void)signal;
    syscall(SYS_exit, 0);
}

/* Returns when it has ended; the others go on, and the process keeps its number. */
int test_end_first_thread(void)
{
    char path[64], line[512];
    int rc = handle_raw(SIGUSR1, end_thread);
    if (rc || syscall(SYS_tgkill, getpid(), getpid(), SIGUSR1))
        return rc ? rc : -errno;
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)getpid());
    for (;;) {
        FILE *f = fopen(path, "re");
        bool over = f && fgets(line, sizeof line, f) && strstr(line, ") Z ");
        if (f)
            fclose(f);
        if (over)
            return 0;
        usleep(500);
    }
}
