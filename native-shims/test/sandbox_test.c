/* What the sandbox of a host lets through and what not, and that it says so. */
#define _GNU_SOURCE
#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "confined.h"

/* All that these tests and their drivers make lies here. */
static char folder[] = "/tmp/isle-sandbox-test-XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* Whether the report of the host has a line that begins so. */
static bool reported(const char *line)
{
    static char text[ISLE_CONTROL_BYTES + 2];
    if (core_call(&confined, ISLE_OP_SANDBOX, NULL, 0))
        return false;
    text[0] = '\n';
    memcpy(text + 1, core_body(&confined), core_body_length(&confined));
    text[core_body_length(&confined) + 1] = 0;
    char want[128];
    snprintf(want, sizeof want, "\n%s", line);
    return strstr(text, want) != NULL;
}

/* Whether this machine allowed a part of the sandbox. */
static bool applied(const char *part)
{
    char line[64];
    snprintf(line, sizeof line, "%s: applied", part);
    return reported(line);
}

/* What an attempt comes to when the part that decides it is applied; NULL: always. */
struct attempt {
    uint32_t what;
    int outcome;
    const char *part;
};

/* The index of the attempt that came out otherwise, or -1. */
static int first_surprise(const struct attempt *attempts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int outcome;
        if (attempts[i].part && !applied(attempts[i].part))
            continue;
        if ((outcome = confined_attempt(attempts[i].what)) != attempts[i].outcome) {
            printf("  attempt %u: expected %d, got %d\n", attempts[i].what, attempts[i].outcome, outcome);
            return (int)i;
        }
    }
    return -1;
}

static void every_part_is_reported(void)
{
    static const char *const parts[] = {"user-namespace", "net-namespace",  "ipc-namespace", "read-only-mounts", "file-limit",
                                        "core-files",     "not-traceable",  "landlock",      "seccomp",          "memory-limit",
                                        "no-new-privileges", "no-capabilities", "thread-limit"};
    CHECK_EQ(0, confined_start("--memory=1073741824"));
    CHECK(reported("profile: applied (compute)"));
    CHECK(reported("no-new-privileges: applied"));
    CHECK(reported("no-capabilities: applied"));
    CHECK(reported("ends-with-core: applied"));
    if (!getuid())
        CHECK(reported("thread-limit: not applied: root has no limit of processes") || applied("thread-limit"));
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        char not_applied[64];
        snprintf(not_applied, sizeof not_applied, "%s: not applied: ", parts[i]);
        CHECK(applied(parts[i]) || reported(not_applied));
    }
#ifdef ISLE_SANITIZED
    CHECK(reported("seccomp: not applied: built with sanitizers"));
    CHECK(reported("landlock: not applied: built with sanitizers"));
    CHECK(reported("memory-limit: not applied: built with sanitizers"));
#else
    CHECK(reported("memory-limit: applied (1073741824 bytes)"));
#endif
    confined_stop();
    CHECK_EQ(0, confined_start("--debug"));
    CHECK(reported("not-traceable: not applied: host_debug is on"));
    confined_stop();
}

static void a_compute_driver_reaches_nothing_else(void)
{
    static const struct attempt attempts[] = {
        {TEST_TRY_THREAD, 0, NULL},
        {TEST_TRY_SYSTEM_LIBRARY, 0, NULL},
        {TEST_TRY_READ_FILE, -EACCES, "landlock"},
        {TEST_TRY_LIST_ROOT, -EACCES, "landlock"},
        {TEST_TRY_WRITE_FILE, -EACCES, "seccomp"},
        {TEST_TRY_MEMORY_OF_CORE, -EACCES, "landlock"},
        {TEST_TRY_SOCKET, -EPERM, "seccomp"},
        {TEST_TRY_FORK, -EPERM, "seccomp"},
        {TEST_TRY_SIGNAL_CORE, -EPERM, "seccomp"},
        {TEST_TRY_SIGNAL_BY_DESCRIPTOR, -EPERM, "seccomp"},
        {TEST_TRY_SIGNAL_BY_SOCKET, -EPERM, "seccomp"},
        {TEST_TRY_MUCH_MEMORY, -ENOMEM, "memory-limit"},
        {TEST_TRY_SHARED_MEMORY, -EPERM, "seccomp"},
        {TEST_TRY_GROWING_MEMORY, -EPERM, "seccomp"},
        {TEST_TRY_MEMFD, -EPERM, "seccomp"},
        {TEST_TRY_IOCTL, -EPERM, "seccomp"},
        {TEST_TRY_RAISE_LIMIT, -EPERM, "seccomp"},
        {TEST_TRY_PIN_CORE, -EPERM, "seccomp"},
        {TEST_TRY_PIN_SELF, 0, NULL},
        {TEST_TRY_PRIVILEGES, -EPERM, "seccomp"},
        {TEST_TRY_CAPABILITIES, -EPERM, "no-capabilities"},
        {TEST_TRY_LIMIT_CORE, -EPERM, "seccomp"},
        {TEST_TRY_SLOW_CORE, -EPERM, "seccomp"},
        {TEST_TRY_ROBUST_LIST, -EPERM, "seccomp"},
        {TEST_TRY_NAMESPACE, -EPERM, "seccomp"},
        {TEST_TRY_STOP, -EPERM, "seccomp"},
        {TEST_TRY_CHANGE_USER, -EPERM, "seccomp"},
        {TEST_TRY_OUTLIVE_CORE, -EPERM, "seccomp"},
    };
    CHECK_EQ(0, confined_start("--memory=1073741824"));
    CHECK_EQ(-1, first_surprise(attempts, sizeof attempts / sizeof attempts[0]));
    CHECK_EQ(0, confined_attempt(TEST_TRY_THREAD)); /* and it goes on */
    confined_stop();
}

#ifndef ISLE_SANITIZED /* a thread costs too much there */
/* Whether thousands of threads more leave others enough: a container may have a limit for all of them. */
static bool there_is_room_for_threads(void)
{
    char group[256] = "", path[320], most[32] = "max";
    FILE *own = fopen("/proc/self/cgroup", "re");
    bool v2 = own && fscanf(own, "0::%255s", group) == 1;
    if (own)
        fclose(own);
    snprintf(path, sizeof path, "/sys/fs/cgroup%s/pids.max", v2 ? group : "");
    FILE *limit = v2 ? fopen(path, "re") : NULL;
    if (limit && fscanf(limit, "%31s", most) != 1)
        most[0] = 0;
    if (limit)
        fclose(limit);
    return !strcmp(most, "max") || atol(most) >= 3 * 4096;
}
#endif

static void a_driver_has_no_more_threads_than_the_limit_says(void)
{
    CHECK_EQ(0, confined_start(NULL));
#ifndef ISLE_SANITIZED
    if (applied("thread-limit") && there_is_room_for_threads()) {
        CHECK(reported("thread-limit: applied (4096)"));
        int made = confined_attempt(TEST_TRY_MANY_THREADS);
        CHECK(made > 1 && made < 4096);
        CHECK_EQ(0, confined_attempt(TEST_TRY_THREAD));
    }
#endif
    confined_stop();
}

static void what_only_an_attack_would_try_ends_the_host(void)
{
    static const uint32_t attacks[] = {TEST_TRY_PTRACE, TEST_TRY_EXEC, TEST_TRY_UNSHARE};
    for (size_t i = 0; i < sizeof attacks / sizeof attacks[0]; i++) {
        uint64_t tag;
        CHECK_EQ(0, confined_start(NULL));
        if (applied("seccomp")) {
            CHECK_EQ(0, confined_act(TEST_ACTION_ESCAPE, attacks[i], &tag));
            int status = core_host_reap(&confined, 20000);
            CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS);
            core_free(&confined);
        } else {
            confined_stop();
        }
    }
}

static void a_gpu_driver_may_ask_devices(void)
{
    static const struct attempt attempts[] = {
        {TEST_TRY_MEMFD, 0, NULL},
        {TEST_TRY_SHARED_MEMORY, 0, NULL},
        {TEST_TRY_GROWING_MEMORY, -EPERM, "seccomp"},
        {TEST_TRY_SOCKET, -EPERM, "seccomp"},
        {TEST_TRY_SIGNAL_BY_SOCKET, -EPERM, "seccomp"},
        {TEST_TRY_PRIVILEGES, -EPERM, "seccomp"},
        {TEST_TRY_CAPABILITIES, -EPERM, "no-capabilities"},
        {TEST_TRY_LIMIT_CORE, -EPERM, "seccomp"},
        {TEST_TRY_SLOW_CORE, -EPERM, "seccomp"},
    };
    CHECK_EQ(0, confined_start("--profile=gpu"));
    CHECK(reported("profile: applied (gpu)"));
    int outcome = confined_attempt(TEST_TRY_IOCTL);
    CHECK(outcome == 0 || outcome == -ENOTTY);
    CHECK_EQ(-1, first_surprise(attempts, sizeof attempts / sizeof attempts[0]));
    if (applied("landlock") || applied("read-only-mounts")) {
        outcome = confined_attempt(TEST_TRY_WRITE_FILE);
        CHECK(outcome == -EACCES || outcome == -EROFS);
    }
    confined_stop();
}

/* Compilers write and link: in the folder that they were given, and with the linker alone. */
static void an_opencl_driver_may_compile(void)
{
    static const struct attempt attempts[] = {
        {TEST_TRY_WRITE_CACHE, 0, NULL},
        {TEST_TRY_CACHE_DEVICE, -EPERM, "seccomp"},
        {TEST_TRY_CHANGE_MODE, -EPERM, "seccomp"},
        {TEST_TRY_CHANGE_TIMES, -EPERM, "seccomp"},
        {TEST_TRY_PROGRAM, -EACCES, "linker"},
        {TEST_TRY_READ_FILE, -EACCES, "landlock"},
        {TEST_TRY_LIST_ROOT, -EACCES, "landlock"},
        {TEST_TRY_MEMORY_OF_CORE, -EACCES, "landlock"},
        {TEST_TRY_GROWING_MEMORY, -EPERM, "seccomp"},
        {TEST_TRY_SOCKET, -EPERM, "seccomp"},
        {TEST_TRY_FORK, -EPERM, "seccomp"},
        {TEST_TRY_SIGNAL_CORE, -EPERM, "seccomp"},
        {TEST_TRY_SIGNAL_BY_SOCKET, -EPERM, "seccomp"},
        {TEST_TRY_PRIVILEGES, -EPERM, "seccomp"},
        {TEST_TRY_CAPABILITIES, -EPERM, "no-capabilities"},
    };
    char option[80];
    CHECK_EQ(0, mkdir(in_folder("cache"), 0700));
    snprintf(option, sizeof option, "--cache=%s", in_folder("cache"));
    CHECK_EQ(0, confined_start_with((const char *[]){"--profile=opencl", option, NULL}));
    CHECK(reported("profile: applied (opencl)"));
    CHECK(reported("cache-folder: applied"));
    CHECK(applied("linker"));
    CHECK_EQ(-1, first_surprise(attempts, sizeof attempts / sizeof attempts[0]));
    if (!access("/usr/bin/ld", X_OK))
        CHECK_EQ(0, confined_attempt(TEST_TRY_LINKER));
    if (applied("landlock") || applied("read-only-mounts")) {
        int outcome = confined_attempt(TEST_TRY_WRITE_FILE);
        CHECK(outcome == -EACCES || outcome == -EROFS);
        CHECK(access("/usr/bin/ld", X_OK) || confined_attempt(TEST_TRY_LINKER_BESIDE) > 0);
        CHECK(access(in_folder(TEST_ESCAPED), F_OK));
    }
    confined_stop();
    CHECK_EQ(0, rmdir(in_folder("cache")));
    CHECK_EQ(0, confined_start("--profile=gpu"));
    CHECK_EQ(-EPERM, confined_attempt(TEST_TRY_LINKER));
    confined_stop();
}

/* A driver that only computes gets no folder, whatever the core says. */
static void only_an_opencl_driver_may_write(void)
{
    char option[80];
    snprintf(option, sizeof option, "--cache=%s", folder);
    CHECK_EQ(0, confined_start(option));
    CHECK(reported("profile: applied (compute)"));
    CHECK(!reported("cache-folder"));
    if (applied("seccomp"))
        CHECK_EQ(-EACCES, confined_attempt(TEST_TRY_WRITE_CACHE));
    confined_stop();
    CHECK_EQ(0, confined_start("--profile=opencl"));
    CHECK(reported("cache-folder: not applied: no cache folder was given"));
    if (applied("landlock") || applied("read-only-mounts")) {
        int outcome = confined_attempt(TEST_TRY_WRITE_CACHE);
        CHECK(outcome == -EACCES || outcome == -EROFS);
    }
    confined_stop();
}

/* The process that runs the linker belongs to the host: it goes with it, whatever the host dies of. */
static void what_links_ends_with_its_host(void)
{
    char path[64], line[64] = "";
    CHECK_EQ(0, confined_start("--profile=opencl"));
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", confined.host_pid, confined.host_pid);
    FILE *children = fopen(path, "re");
    if (!children || !fgets(line, sizeof line, children))
        line[0] = 0;
    if (children)
        fclose(children);
    int child = atoi(line);
    CHECK(child > 0 && !kill(child, 0));
    confined_stop();
    for (int i = 0; i < 20000 && !kill(child, 0); i++) {
        char state[256] = "";
        snprintf(path, sizeof path, "/proc/%d/stat", child);
        FILE *stat = fopen(path, "re");
        bool zombie = stat && fgets(state, sizeof state, stat) && strstr(state, ") Z ");
        if (stat)
            fclose(stat);
        if (zombie) /* nobody here to collect it */
            return;
        usleep(500);
    }
    CHECK(kill(child, 0) < 0);
}

static void wrong_options_are_told(void)
{
    static const char *const wrong[] = {"--profile=none", "--memory=", "--memory=1x", "--memory=-1", "--cache=", "--cache=x", "--debugger", "x"};
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

static const struct test tests[] = {
    TEST(every_part_is_reported),
    TEST(a_compute_driver_reaches_nothing_else),
    TEST(a_driver_has_no_more_threads_than_the_limit_says),
    TEST(what_only_an_attack_would_try_ends_the_host),
    TEST(a_gpu_driver_may_ask_devices),
    TEST(an_opencl_driver_may_compile),
    TEST(only_an_opencl_driver_may_write),
    TEST(what_links_ends_with_its_host),
    TEST(wrong_options_are_told),
};

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status, (void)kind, (void)place;
    return remove(path);
}

int main(int argc, char **argv)
{
    if (!mkdtemp(folder) || setenv(TEST_FOLDER, folder, 1))
        return 2;
    int failed = run_tests("sandbox", tests, sizeof tests / sizeof tests[0], argc, argv);
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    return failed;
}
