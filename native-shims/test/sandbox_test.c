/* What the sandbox of a host lets through and what not, that a host ends with its core, and that it waits at no cost. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "futex.h"
#include "harness.h"
#include "testdriver.h"

#define CONTEXT core_id(ISLE_KIND_CONTEXT, 1, 1)

static struct core core;

static int segments(void)
{
    int rc = core_host_wait(&core, 30000) == ISLE_HOST_READY ? 0 : -ENOEXEC;
    rc = rc ? rc : core_send_segment(&core, ISLE_SEGMENT_COMMANDS, 0, TEST_COMMANDS, core.commands_fd);
    return rc ? rc : core_send_segment(&core, ISLE_SEGMENT_DOORBELL, 1, 4096, core.doorbell_fd);
}

static int start(const char *option)
{
    unsetenv("ISLE_TEST_DRIVER");
    core_make(&core);
    core_host_option = option;
    int rc = core_host_start(&core, "libtestdriver.so");
    rc = rc ? rc : segments();
    rc = rc ? rc : core_open(&core, NULL);
    return rc ? rc : core_context(&core, CONTEXT, 0, NULL);
}

static void stop(void)
{
    kill(core.host_pid, SIGKILL);
    core_host_reap(&core, 10000);
    core_free(&core);
}

static int act(uint32_t action, uint32_t what, uint64_t *tag)
{
    struct command k;
    struct {
        isle_op op;
        uint32_t words[2];
    } op = {{ISLE_OP_VENDOR, 0, sizeof op}, {action, what}};
    command_begin(&k);
    command_op(&k, &op, sizeof op);
    return core_submit(&core, CONTEXT, &k, 0, tag);
}

/* What became of an attempt; 1 when no answer came. */
static int attempt(uint32_t what)
{
    uint64_t tag;
    isle_completion_slot s;
    if (act(TEST_ACTION_ESCAPE, what, &tag) || !core_next(&core, 20000, &s))
        return 1;
    return s.detail;
}

/* Whether the report of the host has a line that begins so. */
static bool reported(const char *line)
{
    static char text[ISLE_CONTROL_BYTES + 2];
    if (core_call(&core, ISLE_OP_SANDBOX, NULL, 0))
        return false;
    text[0] = '\n';
    memcpy(text + 1, core_body(&core), core_body_length(&core));
    text[core_body_length(&core) + 1] = 0;
    char want[128];
    snprintf(want, sizeof want, "\n%s", line);
    return strstr(text, want) != NULL;
}

static bool confined(void)
{
    return reported("landlock: applied") && reported("seccomp: applied");
}

static void every_part_is_reported(void)
{
    static const char *const parts[] = {"user-namespace", "net-namespace",  "ipc-namespace", "read-only-mounts", "file-limit",
                                        "core-files",     "not-traceable",  "landlock",      "seccomp",          "memory-limit",
                                        "no-new-privileges", "no-capabilities", "thread-limit"};
    CHECK_EQ(0, start("--memory=1073741824"));
    CHECK(reported("profile: applied (compute)"));
    CHECK(reported("no-new-privileges: applied"));
    CHECK(reported("no-capabilities: applied"));
    struct rlimit threads;
    CHECK_EQ(0, prlimit(core.host_pid, RLIMIT_NPROC, NULL, &threads));
    CHECK(!reported("user-namespace: applied") || (reported("thread-limit: applied (4096)") && threads.rlim_max <= 4096));
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        char applied[64], not_applied[64];
        snprintf(applied, sizeof applied, "%s: applied", parts[i]);
        snprintf(not_applied, sizeof not_applied, "%s: not applied: ", parts[i]);
        CHECK(reported(applied) || reported(not_applied));
    }
#ifdef ISLE_SANITIZED
    CHECK(reported("seccomp: not applied: built with sanitizers"));
    CHECK(reported("landlock: not applied: built with sanitizers"));
    CHECK(reported("memory-limit: not applied: built with sanitizers"));
#else
    CHECK(reported("memory-limit: applied (1073741824 bytes)"));
#endif
    stop();
    CHECK_EQ(0, start("--debug"));
    CHECK(reported("not-traceable: not applied: host_debug is on"));
    stop();
}

static void a_compute_driver_reaches_nothing_else(void)
{
    static const struct {
        uint32_t what;
        int outcome;
    } attempts[] = {{TEST_TRY_THREAD, 0},
                    {TEST_TRY_SYSTEM_LIBRARY, 0},
                    {TEST_TRY_READ_FILE, -EACCES},
                    {TEST_TRY_LIST_ROOT, -EACCES},
                    {TEST_TRY_WRITE_FILE, -EACCES},
                    {TEST_TRY_MEMORY_OF_CORE, -EACCES},
                    {TEST_TRY_SOCKET, -EPERM},
                    {TEST_TRY_FORK, -EPERM},
                    {TEST_TRY_SIGNAL_CORE, -EPERM},
                    {TEST_TRY_SIGNAL_BY_DESCRIPTOR, -EPERM},
                    {TEST_TRY_MUCH_MEMORY, -ENOMEM},
                    {TEST_TRY_SHARED_MEMORY, -EPERM},
                    {TEST_TRY_MEMFD, -EPERM},
                    {TEST_TRY_IOCTL, -EPERM},
                    {TEST_TRY_RAISE_LIMIT, -EPERM},
                    {TEST_TRY_PIN_CORE, -EPERM},
                    {TEST_TRY_PRIVILEGES, -EPERM},
                    {TEST_TRY_CAPABILITIES, -EPERM},
                    {TEST_TRY_LIMIT_CORE, -EPERM},
                    {TEST_TRY_SLOW_CORE, -EPERM},
                    {TEST_TRY_ROBUST_LIST, -EPERM},
                    {TEST_TRY_NAMESPACE, -EPERM},
                    {TEST_TRY_STOP, -EPERM}};
    CHECK_EQ(0, start("--memory=1073741824"));
    for (size_t i = 0; confined() && i < sizeof attempts / sizeof attempts[0]; i++)
        CHECK_EQ(attempts[i].outcome, attempt(attempts[i].what));
    CHECK_EQ(0, attempt(TEST_TRY_THREAD)); /* and it goes on */
    stop();
}

static void what_only_an_attack_would_try_ends_the_host(void)
{
    static const uint32_t attacks[] = {TEST_TRY_PTRACE, TEST_TRY_EXEC, TEST_TRY_UNSHARE};
    for (size_t i = 0; i < sizeof attacks / sizeof attacks[0]; i++) {
        uint64_t tag;
        CHECK_EQ(0, start(NULL));
        if (confined()) {
            CHECK_EQ(0, act(TEST_ACTION_ESCAPE, attacks[i], &tag));
            int status = core_host_reap(&core, 20000);
            CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS);
            core_free(&core);
        } else {
            stop();
        }
    }
}

static void a_gpu_driver_may_ask_devices(void)
{
    CHECK_EQ(0, start("--profile=gpu"));
    CHECK(reported("profile: applied (gpu)"));
    if (confined()) {
        int ioctl_outcome = attempt(TEST_TRY_IOCTL);
        CHECK(ioctl_outcome == 0 || ioctl_outcome == -ENOTTY);
        CHECK_EQ(0, attempt(TEST_TRY_MEMFD));
        CHECK_EQ(-EPERM, attempt(TEST_TRY_SOCKET));
        CHECK_EQ(-EPERM, attempt(TEST_TRY_PRIVILEGES));
        CHECK_EQ(-EPERM, attempt(TEST_TRY_CAPABILITIES));
        CHECK_EQ(-EPERM, attempt(TEST_TRY_LIMIT_CORE));
        CHECK_EQ(-EPERM, attempt(TEST_TRY_SLOW_CORE));
        int outcome = attempt(TEST_TRY_WRITE_FILE);
        CHECK(outcome == -EACCES || outcome == -EROFS);
    }
    stop();
}

static void wrong_options_are_told(void)
{
    static const char *const wrong[] = {"--profile=none", "--memory=", "--memory=1x", "--memory=-1", "--debugger", "x"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        pid_t child = fork();
        if (!child) {
            if (!freopen("/dev/null", "w", stderr))
                _exit(99);
            execl(test_file("driver-host"), "driver-host", "nobody", "nothing.so", wrong[i], (char *)NULL);
            _exit(99);
        }
        int status;
        waitpid(child, &status, 0);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 2);
    }
}

/* A core in a process of its own, with a host; its pid. `keeper`: a child of it that holds a copy of the socket; `trick`: what the
 * driver tries first. */
static pid_t core_process(uint32_t trick, pid_t *host, pid_t *keeper)
{
    int pipe_ends[2];
    pid_t pids[2] = {0, 0};
    if (pipe(pipe_ends))
        return -1;
    fflush(stdout);
    pid_t child = fork();
    if (!child) {
        if (start(NULL) || (trick && attempt(trick)))
            _exit(1);
        pids[0] = core.host_pid;
        if (keeper && !(pids[1] = fork()))
            for (;;)
                pause();
        if (write(pipe_ends[1], pids, sizeof pids) < 0)
            _exit(1);
        for (;;)
            pause();
    }
    bool told = read(pipe_ends[0], pids, sizeof pids) == sizeof pids;
    close(pipe_ends[0]);
    close(pipe_ends[1]);
    *host = told ? pids[0] : -1;
    if (keeper)
        *keeper = pids[1];
    return child;
}

/* Orphans of the core become ours, so that their end can be awaited. */
static bool ends(pid_t pid)
{
    int status;
    uint64_t until = clock_ns() + 10000000000ull;
    while (waitpid(pid, &status, WNOHANG) != pid) {
        if (clock_ns() > until)
            return false;
        usleep(500);
    }
    return true;
}

static void a_host_ends_with_a_core_that_is_killed(void)
{
    pid_t host, keeper;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    pid_t parent = core_process(0, &host, NULL);
    CHECK(parent > 0 && host > 0);
    kill(parent, SIGKILL);
    CHECK(ends(parent) && ends(host));
    parent = core_process(0, &host, &keeper);
    CHECK(parent > 0 && host > 0 && keeper > 0);
    kill(parent, SIGKILL); /* the keeper's copy of the socket does not hang up */
    CHECK(ends(parent) && ends(host));
    kill(keeper, SIGKILL);
    CHECK(ends(keeper));
}

static void no_signal_handler_of_a_driver_holds_up_the_end(void)
{
    pid_t host;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    pid_t parent = core_process(TEST_TRY_HOLD_THREADS, &host, NULL);
    CHECK(parent > 0 && host > 0);
    kill(parent, SIGKILL);
    bool ended = ends(parent) && ends(host);
    kill(host, SIGKILL);
    CHECK(ended);
}

/* How often the threads of a process have given up the CPU, and were made to. */
static uint64_t switches(pid_t pid)
{
    char path[64], line[256];
    uint64_t sum = 0;
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *tasks = opendir(path);
    for (struct dirent *t = tasks ? readdir(tasks) : NULL; t; t = readdir(tasks)) {
        char status[384];
        snprintf(status, sizeof status, "%s/%s/status", path, t->d_name);
        FILE *f = *t->d_name == '.' ? NULL : fopen(status, "re");
        while (f && fgets(line, sizeof line, f)) {
            char *count = strstr(line, "ctxt_switches:");
            sum += count ? strtoull(count + 14, NULL, 10) : 0;
        }
        if (f)
            fclose(f);
    }
    if (tasks)
        closedir(tasks);
    return sum;
}

static void a_host_that_waits_costs_nothing(void)
{
    core_make(&core);
    core_host_option = NULL;
    CHECK_EQ(0, core_host_start(&core, "libsoftaccel.so"));
    CHECK_EQ(0, segments());
    uint64_t before = switches(core.host_pid), last = 0;
    for (int quiet = 0; quiet < 5 && last != UINT64_MAX; quiet = before == last ? quiet + 1 : 0) {
        last = before;
        usleep(20000);
        before = switches(core.host_pid);
    }
    usleep(200000);
    CHECK(before > 0);
#ifndef __SANITIZE_THREAD__ /* its runtime has a thread that wakes up by itself */
    CHECK_EQ(before, switches(core.host_pid));
#endif
    CHECK_EQ(0, core_open(&core, NULL)); /* and it is ready */
    stop();
}

static void the_heartbeat_shows_a_call_that_does_not_return(void)
{
    uint64_t tag;
    CHECK_EQ(0, start(NULL));
    CHECK_EQ(0, attempt(TEST_TRY_THREAD));
    uint64_t rest = __atomic_load_n(&core.channel->heartbeat, __ATOMIC_RELAXED);
    CHECK(rest > 0);
    CHECK_EQ(0, act(TEST_ACTION_BLOCK, 0, &tag));
    uint64_t until = clock_ns() + 20000000000ull;
    while (!(__atomic_load_n(&core.channel->heartbeat, __ATOMIC_RELAXED) > rest && (core.channel->heartbeat & 1)) && clock_ns() < until)
        usleep(100);
    uint64_t inside = __atomic_load_n(&core.channel->heartbeat, __ATOMIC_RELAXED);
    CHECK(inside & 1);
    usleep(20000);
    CHECK_EQ(inside, __atomic_load_n(&core.channel->heartbeat, __ATOMIC_RELAXED));
    stop();
}

static const struct test tests[] = {
    TEST(every_part_is_reported),
    TEST(a_compute_driver_reaches_nothing_else),
    TEST(what_only_an_attack_would_try_ends_the_host),
    TEST(a_gpu_driver_may_ask_devices),
    TEST(wrong_options_are_told),
    TEST(a_host_ends_with_a_core_that_is_killed),
    TEST(no_signal_handler_of_a_driver_holds_up_the_end),
    TEST(a_host_that_waits_costs_nothing),
    TEST(the_heartbeat_shows_a_call_that_does_not_return),
};

int main(int argc, char **argv)
{
    return run_tests("sandbox", tests, sizeof tests / sizeof tests[0], argc, argv);
}
