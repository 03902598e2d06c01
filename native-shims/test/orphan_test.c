/* A host, and what it had started, ends with its core, whatever its driver has done. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "confined.h"
#include "futex.h"

#define SECONDS 1000000000ull

/* How a core in a process of its own is made. */
struct orphans {
    const char *const *options; /* of the host, NULL behind the last */
    uint32_t attempt;           /* of its driver, TEST_TRY_*, that must succeed; 0: none */
    bool without_answer;        /* the attempt does not come back */
    bool keeper;                /* a child of the core holds a copy of its socket */
    bool stopped;               /* the host does not run when its core ends */
};

/* The core, which is killed, and who is left: [0] the host, [1] the keeper. */
static pid_t core_process(const struct orphans *o, pid_t left[2])
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC))
        return -1;
    fflush(stdout);
    pid_t child = fork();
    if (!child) {
        uint64_t tag;
        pid_t pids[2] = {0, 0};
        if (confined_start_with(o->options ? o->options : (const char *[]){NULL}))
            _exit(1);
        if (o->without_answer ? confined_act(TEST_ACTION_ESCAPE, o->attempt, &tag) : o->attempt && confined_attempt(o->attempt))
            _exit(1);
        pids[0] = confined.host_pid;
        if (o->keeper && !(pids[1] = fork()))
            for (;;)
                pause();
        if (o->stopped && (kill(pids[0], SIGSTOP) || waitpid(pids[0], NULL, WUNTRACED) != pids[0]))
            _exit(1);
        if (write(ends[1], pids, sizeof pids) < 0)
            _exit(1);
        for (;;)
            pause();
    }
    close(ends[1]); /* so that a child that fails is the end of the pipe */
    bool told = read(ends[0], left, 2 * sizeof *left) == 2 * sizeof *left;
    close(ends[0]);
    return told ? child : -1;
}

/* Orphans of the core become ours, so that their end can be awaited. */
static bool ends(pid_t pid)
{
    int status;
    uint64_t until = clock_ns() + 2 * SECONDS;
    while (waitpid(pid, &status, WNOHANG) != pid) {
        if (clock_ns() > until)
            return false;
        usleep(500);
    }
    return true;
}

/* Kills the core; whether the host goes with it. What does not is ended here. */
static bool host_ends(const struct orphans *o)
{
    pid_t left[2];
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    pid_t core = core_process(o, left);
    if (core < 0)
        return false;
    kill(core, SIGKILL);
    bool ended = ends(core) & ends(left[0]);
    if (!ended)
        kill(left[0], SIGKILL);
    if (left[1]) {
        kill(left[1], SIGKILL);
        ended &= ends(left[1]);
    }
    return ended;
}

static void a_host_ends_with_a_core_that_is_killed(void)
{
    CHECK(host_ends(&(struct orphans){0}));
}

/* Whose copy of the socket does not hang up. */
static void a_child_of_the_core_does_not_keep_the_host(void)
{
    CHECK(host_ends(&(struct orphans){.keeper = true}));
}

static void no_signal_handler_of_a_driver_holds_up_the_end(void)
{
    CHECK(host_ends(&(struct orphans){.attempt = TEST_TRY_HOLD_THREADS}));
}

static void a_driver_that_takes_the_watch_over_ends_with_the_core(void)
{
    CHECK(host_ends(&(struct orphans){.attempt = TEST_TRY_TAKE_WATCH}));
}

static void a_driver_that_ends_the_first_thread_ends_with_the_core(void)
{
    CHECK(host_ends(&(struct orphans){.attempt = TEST_TRY_END_FIRST_THREAD}));
}

static void a_host_that_does_not_run_ends_with_the_core(void)
{
    CHECK(host_ends(&(struct orphans){.stopped = true}));
}

/* The one child of a process, once there is one. */
static pid_t child_of(pid_t pid)
{
    char path[64], line[64];
    uint64_t until = clock_ns() + 20 * SECONDS;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)pid);
    while (clock_ns() < until) {
        FILE *f = fopen(path, "re");
        bool any = f && fgets(line, sizeof line, f) && atoi(line) > 0;
        if (f)
            fclose(f);
        if (any)
            return atoi(line);
        usleep(500);
    }
    return -1;
}

/* A pipe's other end, once somebody reads there; as long as it is open, reading waits. */
static int writer_of(const char *pipe)
{
    uint64_t until = clock_ns() + 20 * SECONDS;
    int end;
    while ((end = open(pipe, O_WRONLY | O_NONBLOCK | O_CLOEXEC)) < 0 && clock_ns() < until)
        usleep(500);
    return end;
}

/* The linker reads a pipe that nobody writes to, beside the host. */
static void what_links_ends_with_the_core(void)
{
    char folder[] = "/tmp/isle-orphan-test-XXXXXX", pipe[64], out[64], option[64];
    pid_t left[2];
    if (access("/usr/bin/ld", X_OK))
        return;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    CHECK(mkdtemp(folder) != NULL);
    snprintf(pipe, sizeof pipe, "%s/pipe", folder);
    snprintf(out, sizeof out, "%s/out", folder);
    snprintf(option, sizeof option, "--cache=%s", folder);
    CHECK_EQ(0, mkfifo(pipe, 0600));
    const char *const options[] = {"--profile=opencl", option, NULL};
    pid_t core = core_process(&(struct orphans){.options = options, .attempt = TEST_TRY_LINKER_WAITS, .without_answer = true}, left);
    pid_t tools = core > 0 ? child_of(left[0]) : -1, linker = tools > 0 ? child_of(tools) : -1;
    int writer = linker > 0 ? writer_of(pipe) : -1;
    CHECK(writer >= 0);
    kill(core, SIGKILL);
    bool ended = ends(core) & ends(left[0]) & ends(tools) & ends(linker);
    close(writer);
    unlink(pipe);
    unlink(out);
    CHECK_EQ(0, rmdir(folder));
    CHECK(ended);
}

static const struct test tests[] = {
    TEST(a_host_ends_with_a_core_that_is_killed),
    TEST(a_child_of_the_core_does_not_keep_the_host),
    TEST(no_signal_handler_of_a_driver_holds_up_the_end),
    TEST(a_driver_that_takes_the_watch_over_ends_with_the_core),
    TEST(a_driver_that_ends_the_first_thread_ends_with_the_core),
    TEST(a_host_that_does_not_run_ends_with_the_core),
    TEST(what_links_ends_with_the_core),
};

int main(int argc, char **argv)
{
    return run_tests("orphan", tests, sizeof tests / sizeof tests[0], argc, argv);
}
