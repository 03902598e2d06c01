#define _GNU_SOURCE
#include "tools.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox.h"

#define MOST_TEXT (64u << 10)
#define MOST_ARGUMENTS 1024u
#define CPU_SECONDS 60u
#define FILE_BYTES (256ull << 20)
#define OWN_END 3 /* of the socket, in the process that runs the tools */

/* Process numbers of tools that have ended: above those of the kernel. */
#define FIRST_PID 0x40000000
#define RESULTS 16

const char *const tools_linkers[] = {"/usr/bin/ld", "/usr/bin/ld.bfd", "/usr/bin/ld.gold", "/usr/bin/ld.lld", NULL};

/* The host's end: -1 when there is no such process. */
static int host_end = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int results[RESULTS];
static int runs;

static void set_limit(int which, uint64_t most)
{
    setrlimit((__rlimit_resource_t)which, &(struct rlimit){most, most});
}

/* Nothing of it survives the process that waits for it, which does not survive the host. */
static void run(char *const *arguments, uint64_t memory_bytes, pid_t parent)
{
    char *const environment[] = {NULL};
    set_limit(RLIMIT_CPU, CPU_SECONDS);
    set_limit(RLIMIT_FSIZE, FILE_BYTES);
    if (memory_bytes)
        set_limit(RLIMIT_DATA, memory_bytes);
    close(OWN_END);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == parent && !sandbox_confine_tool())
        execve(arguments[0], arguments, environment);
    _exit(127);
}

static bool is_linker(const char *path)
{
    for (int i = 0; tools_linkers[i]; i++)
        if (!strcmp(tools_linkers[i], path))
            return true;
    return false;
}

/* The status as wait() tells it, or a negated errno. */
static int serve_one(char *text, size_t length, uint64_t memory_bytes)
{
    static char *arguments[MOST_ARGUMENTS + 1];
    uint32_t count = 0;
    int status = 0;
    if (!length || text[length - 1])
        return -EINVAL;
    for (char *at = text; at < text + length; at += strlen(at) + 1) {
        if (count == MOST_ARGUMENTS)
            return -E2BIG;
        arguments[count++] = at;
    }
    arguments[count] = NULL;
    if (!is_linker(arguments[0]))
        return -EACCES;
    pid_t self = getpid(), child = fork();
    if (!child)
        run(arguments, memory_bytes, self);
    if (child < 0)
        return -errno;
    while (syscall(SYS_wait4, child, &status, 0, NULL) < 0)
        if (errno != EINTR)
            return -errno;
    return status;
}

/* Until the host closes its end. */
static void serve(uint64_t memory_bytes)
{
    static char text[MOST_TEXT];
    for (;;) {
        ssize_t n = read(OWN_END, text, sizeof text);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            _exit(0);
        int32_t answer = serve_one(text, (size_t)n, memory_bytes);
        if (write(OWN_END, &answer, sizeof answer) != sizeof answer)
            _exit(0);
    }
}

static void become_runner(int end, pid_t host, uint64_t memory_bytes)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_NAME, "driver-tools");
    if (getppid() != host)
        _exit(0);
    if (end != OWN_END && dup3(end, OWN_END, O_CLOEXEC) < 0)
        _exit(1);
#ifdef SYS_close_range
    syscall(SYS_close_range, OWN_END + 1u, ~0u, 0u); /* the core must see the host's end of its socket close */
#else
    for (long fd = OWN_END + 1, most = sysconf(_SC_OPEN_MAX); fd < most; fd++)
        close((int)fd);
#endif
    serve(memory_bytes);
}

int tools_start(uint64_t memory_bytes)
{
    int ends[2];
    pid_t host = getpid();
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
        return -errno;
    pid_t child = fork();
    if (!child)
        become_runner(ends[1], host, memory_bytes);
    int rc = child < 0 ? -errno : 0;
    close(ends[1]);
    if (rc)
        close(ends[0]);
    else
        host_end = ends[0];
    return rc;
}

static int ask(const char *text, size_t length)
{
    int32_t answer;
    while (write(host_end, text, length) != (ssize_t)length)
        if (errno != EINTR)
            return -errno;
    for (;;) {
        ssize_t n = read(host_end, &answer, sizeof answer);
        if (n == sizeof answer)
            return answer;
        if (n >= 0 || errno != EINTR)
            return -ECHILD;
    }
}

/* In the place of the C library's, for whatever the driver loads: it cannot start processes, so the tool has ended when this returns. */
__attribute__((visibility("default"))) int posix_spawn(pid_t *out, const char *path, const posix_spawn_file_actions_t *actions,
                                                       const posix_spawnattr_t *attributes, char *const *arguments,
                                                       char *const *environment)
{
    char *text = host_end < 0 ? NULL : malloc(MOST_TEXT);
    size_t length = 0;
    (void)actions, (void)attributes, (void)environment;
    if (!text)
        return host_end < 0 ? EPERM : ENOMEM;
    for (int i = 0; !i || arguments[i]; i++) {
        const char *argument = i ? arguments[i] : path;
        size_t n = strlen(argument) + 1;
        if (n > MOST_TEXT - length) {
            free(text);
            return E2BIG;
        }
        memcpy(text + length, argument, n);
        length += n;
    }
    pthread_mutex_lock(&lock);
    int answer = ask(text, length);
    if (answer >= 0) {
        *out = FIRST_PID + runs;
        results[runs % RESULTS] = answer;
        runs = (runs + 1) & 0xffffff;
    }
    pthread_mutex_unlock(&lock);
    free(text);
    return answer < 0 ? -answer : 0;
}

/* Of the process that runs the tools a driver knows nothing: it is no child to wait for. */
__attribute__((visibility("default"))) pid_t wait4(pid_t pid, int *status, int options, struct rusage *usage)
{
    (void)options;
    if (pid < FIRST_PID) {
        errno = ECHILD;
        return -1;
    }
    pthread_mutex_lock(&lock);
    if (status)
        *status = results[(pid - FIRST_PID) % RESULTS];
    pthread_mutex_unlock(&lock);
    if (usage)
        memset(usage, 0, sizeof *usage);
    return pid;
}

__attribute__((visibility("default"))) pid_t waitpid(pid_t pid, int *status, int options)
{
    return wait4(pid, status, options, NULL);
}
