/* What a driver might try that has nothing to do with its device. Each answers 0 when it worked, else the negated errno. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "testdriver.h"

static int code(long result)
{
    return result < 0 ? -errno : 0;
}

static int opened(const char *path, int flags)
{
    int fd = open(path, flags, 0600);
    if (fd < 0)
        return -errno;
    close(fd);
    return 0;
}

static int mapped(size_t size, int flags)
{
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return -errno;
    munmap(p, size);
    return 0;
}

static int forked(void)
{
    pid_t child = fork();
    if (child < 0)
        return -errno;
    if (!child)
        _exit(0);
    waitpid(child, NULL, 0);
    return 0;
}

/* A name in the folder that the variable says. */
static const char *in(const char *variable, const char *name)
{
    static char path[2][4096];
    static int turn;
    const char *folder = getenv(variable);
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder ? folder : "/proc/no-such-folder", name);
    return path[turn];
}

/* In the folder that it was given, else in the test's. */
static const char *in_cache(const char *name)
{
    return in(getenv("ISLE_DRIVER_CACHE") ? "ISLE_DRIVER_CACHE" : TEST_FOLDER, name);
}

static int written(void)
{
    int rc = opened(in_cache("new"), O_CREAT | O_WRONLY);
    rc = rc ? rc : code(rename(in_cache("new"), in_cache("kept")));
    return rc ? rc : code(unlink(in_cache("kept")));
}

static int spawned(char *const *arguments)
{
    pid_t child;
    int status = 0, rc = posix_spawn(&child, arguments[0], NULL, NULL, arguments, environ);
    if (rc)
        return -rc;
    return wait4(child, &status, 0, NULL) != child ? -errno : WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

/* Of nothing but the C library, which is always there. */
static int linked(const char *output)
{
    char path[4096];
    Dl_info c;
    if (!dladdr((void *)(uintptr_t)mknod, &c))
        return -ENOENT;
    snprintf(path, sizeof path, "%s", c.dli_fname);
    int rc = spawned((char *[]){"/usr/bin/ld", "-shared", "-o", (char *)(uintptr_t)output, path, NULL});
    unlink(in_cache("linked.so"));
    return rc;
}

static void *nothing(void *arg)
{
    return arg;
}

static int threaded(void)
{
    pthread_t t;
    int rc = pthread_create(&t, NULL, nothing, NULL);
    if (!rc)
        pthread_join(t, NULL);
    return -rc;
}

static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

static void *until_all_are_made(void *arg)
{
    pthread_mutex_lock(&making);
    pthread_mutex_unlock(&making);
    return arg;
}

/* How many threads there can be besides, up to more than a driver may have. */
static int many_threads(void)
{
    static pthread_t threads[TEST_MANY_THREADS];
    pthread_attr_t small;
    int made = 0;
    pthread_mutex_lock(&making);
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 32 << 10);
    while (made < TEST_MANY_THREADS && !pthread_create(&threads[made], &small, until_all_are_made, NULL))
        made++;
    pthread_mutex_unlock(&making);
    for (int i = 0; i < made; i++)
        pthread_join(threads[i], NULL);
    return made;
}

static int listed(const char *path)
{
    DIR *d = opendir(path);
    if (!d)
        return -errno;
    closedir(d);
    return 0;
}

static int memory_of_core(void)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/mem", (int)getppid());
    return opened(path, O_RDONLY);
}

/* 0 when there is any. */
static int capabilities(void)
{
    char line[128];
    unsigned long long effective = 0;
    FILE *f = fopen("/proc/self/status", "re");
    if (!f)
        return -errno;
    while (fgets(line, sizeof line, f))
        sscanf(line, "CapEff: %llx", &effective);
    fclose(f);
    return effective ? 0 : -EPERM;
}

/* The new limit is the old one, so nothing is harmed should it work; its address has a low half of 0. */
static int limit_of_core(void)
{
    struct rlimit now;
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE;
    struct rlimit *at = mmap((void *)(1ull << 32), 4096, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (at == MAP_FAILED || getrlimit(RLIMIT_NOFILE, &now))
        return -errno;
    *at = (struct rlimit){RLIM_INFINITY, RLIM_INFINITY};
    int rc = code(syscall(SYS_prlimit64, getppid(), RLIMIT_CPU, at, NULL));
    *at = now;
    if (rc)
        rc = code(syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, at, NULL));
    munmap(at, 4096);
    return rc;
}

/* SIGIO for the core, whenever something comes over its own socket; 0 when one of the descriptors allows it. */
static int signal_by_socket(void)
{
    int core = getppid(), rc = 0;
    for (int fd = 0; fd < 32; fd++) {
        rc = code(ioctl(fd, FIOSETOWN, &core));
        if (!rc)
            return ioctl(fd, FIOSETOWN, &(int){0});
    }
    return rc;
}

int test_escape(uint32_t what)
{
    switch (what) {
    case TEST_TRY_THREAD:
        return threaded();
    case TEST_TRY_MANY_THREADS:
        return many_threads();
    case TEST_TRY_SYSTEM_LIBRARY:
        return listed("/usr/lib");
    case TEST_TRY_READ_FILE:
        return opened("/etc/passwd", O_RDONLY);
    case TEST_TRY_LIST_ROOT:
        return listed("/");
    case TEST_TRY_WRITE_FILE:
        return opened(in(TEST_FOLDER, "escaped"), O_WRONLY | O_CREAT);
    case TEST_TRY_MEMORY_OF_CORE:
        return memory_of_core();
    case TEST_TRY_SOCKET:
        return code(socket(AF_INET, SOCK_STREAM, 0));
    case TEST_TRY_FORK:
        return forked();
    case TEST_TRY_SIGNAL_CORE:
        return code(kill(getppid(), 0));
    case TEST_TRY_SIGNAL_BY_DESCRIPTOR:
        return code(fcntl(STDERR_FILENO, F_SETOWN, getppid()));
    case TEST_TRY_SIGNAL_BY_SOCKET:
        return signal_by_socket();
    case TEST_TRY_MUCH_MEMORY:
        return mapped((size_t)8 << 30, MAP_PRIVATE);
    case TEST_TRY_SHARED_MEMORY:
        return mapped(4096, MAP_SHARED);
    case TEST_TRY_GROWING_MEMORY:
        return mapped(4096, MAP_PRIVATE | MAP_GROWSDOWN);
    case TEST_TRY_MEMFD:
        return code(memfd_create("escaped", 0));
    case TEST_TRY_IOCTL:
        return code(ioctl(STDERR_FILENO, FIONREAD, &(int){0}));
    case TEST_TRY_RAISE_LIMIT:
        return code(setrlimit(RLIMIT_NOFILE, &(struct rlimit){1 << 20, 1 << 20}));
    case TEST_TRY_PIN_CORE:
        return code(syscall(SYS_sched_setaffinity, getppid(), sizeof(unsigned long), &(unsigned long){1}));
    case TEST_TRY_PIN_SELF: {
        cpu_set_t allowed;
        sched_getaffinity(0, sizeof allowed, &allowed);
        return -pthread_setaffinity_np(pthread_self(), sizeof allowed, &allowed);
    }
    case TEST_TRY_PRIVILEGES:
        return prctl(PR_SET_DUMPABLE, 1) ? -errno : 0;
    case TEST_TRY_CAPABILITIES:
        return capabilities();
    case TEST_TRY_LIMIT_CORE:
        return limit_of_core();
    case TEST_TRY_SLOW_CORE:
        return code(syscall(SYS_sched_setscheduler, getppid(), SCHED_OTHER, &(struct sched_param){0}));
    case TEST_TRY_ROBUST_LIST:
        return code(syscall(SYS_get_robust_list, 0, &(void *){NULL}, &(size_t){0}));
    case TEST_TRY_NAMESPACE: /* together with CLONE_FS the kernel itself says EINVAL */
        return code(syscall(SYS_clone, CLONE_THREAD | CLONE_VM | CLONE_SIGHAND | CLONE_FS | CLONE_NEWNS, NULL, NULL, NULL, NULL));
    case TEST_TRY_CHANGE_USER:
        return code(setuid(getuid()));
    case TEST_TRY_STOP:
        return code(syscall(SYS_tgkill, getpid(), gettid(), SIGSTOP));
    case TEST_TRY_WRITE_CACHE:
        return written();
    case TEST_TRY_CACHE_DEVICE:
        return code(mknod(in_cache("node"), S_IFIFO | 0600, 0));
    case TEST_TRY_CHANGE_MODE:
        return code(chmod("/proc/self/exe", 0755));
    case TEST_TRY_CHANGE_TIMES:
        return code(utimensat(AT_FDCWD, "/proc/self/exe", NULL, 0));
    case TEST_TRY_LINKER:
        return linked(in_cache("linked.so"));
    case TEST_TRY_LINKER_BESIDE:
        return linked(in(TEST_FOLDER, TEST_ESCAPED));
    case TEST_TRY_PROGRAM:
        return spawned((char *[]){"/bin/true", NULL});
    case TEST_TRY_LINKER_WAITS:
        return spawned((char *[]){"/usr/bin/ld", "-o", (char *)(uintptr_t)in_cache("out"), (char *)(uintptr_t)in_cache("pipe"), NULL});
    case TEST_TRY_OUTLIVE_CORE:
        return code(prctl(PR_SET_PDEATHSIG, 0));
    case TEST_TRY_TAKE_WATCH:
        return test_take_watch();
    case TEST_TRY_END_FIRST_THREAD:
        return test_end_first_thread();
    case TEST_TRY_HOLD_THREADS:
        return test_hold_threads();
    case TEST_TRY_PTRACE:
        return code(ptrace(PTRACE_ATTACH, getppid(), NULL, NULL));
    case TEST_TRY_EXEC:
        return code(execl("/bin/true", "true", (char *)NULL));
    case TEST_TRY_UNSHARE:
        return code(syscall(SYS_unshare, 0x10000000));
    default:
        return -EINVAL;
    }
}
