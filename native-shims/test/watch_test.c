/* A host waits at no cost, and shows in its heartbeat whether its driver's code comes back. */
#define _GNU_SOURCE
#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "confined.h"
#include "futex.h"

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
    core_make(&confined);
    core_host_options = NULL;
    CHECK_EQ(0, core_host_start(&confined, "libsoftaccel.so"));
    CHECK_EQ(0, confined_segments());
    uint64_t before = switches(confined.host_pid), last = 0;
    for (int quiet = 0; quiet < 5 && last != UINT64_MAX; quiet = before == last ? quiet + 1 : 0) {
        last = before;
        usleep(20000);
        before = switches(confined.host_pid);
    }
    usleep(200000);
    CHECK(before > 0);
#ifndef __SANITIZE_THREAD__ /* its runtime has a thread that wakes up by itself */
    CHECK_EQ(before, switches(confined.host_pid));
#endif
    CHECK_EQ(0, core_open(&confined, NULL)); /* and it is ready */
    confined_stop();
}

static void the_heartbeat_shows_a_call_that_does_not_return(void)
{
    uint64_t tag;
    CHECK_EQ(0, confined_start(NULL));
    CHECK_EQ(0, confined_attempt(TEST_TRY_THREAD));
    uint64_t rest = __atomic_load_n(&confined.channel->heartbeat, __ATOMIC_RELAXED);
    CHECK(rest > 0);
    CHECK_EQ(0, confined_act(TEST_ACTION_BLOCK, 0, &tag));
    uint64_t until = clock_ns() + 20000000000ull;
    while (!(__atomic_load_n(&confined.channel->heartbeat, __ATOMIC_RELAXED) > rest && (confined.channel->heartbeat & 1)) && clock_ns() < until)
        usleep(100);
    uint64_t inside = __atomic_load_n(&confined.channel->heartbeat, __ATOMIC_RELAXED);
    CHECK(inside & 1);
    usleep(20000);
    CHECK_EQ(inside, __atomic_load_n(&confined.channel->heartbeat, __ATOMIC_RELAXED));
    confined_stop();
}

static void the_heartbeat_answers_the_bell(void)
{
    CHECK_EQ(0, confined_start(NULL));
    CHECK_EQ(0, confined_attempt(TEST_TRY_THREAD));
    isle_channel_header *c = confined.channel;
    uint64_t until = clock_ns() + 20000000000ull, rest;
    /* asleep, and so at the end of what it counted for the attempt: what comes now is for the bell */
    do
        rest = __atomic_load_n(&c->heartbeat, __ATOMIC_SEQ_CST);
    while (((rest & 1) || !__atomic_load_n(&c->data_sleeping, __ATOMIC_SEQ_CST)) && clock_ns() < until);
    bell_ring(&c->data_bell, &c->data_sleeping);
    while (__atomic_load_n(&c->heartbeat, __ATOMIC_SEQ_CST) < rest + 2 && clock_ns() < until)
        usleep(100);
    CHECK(__atomic_load_n(&c->heartbeat, __ATOMIC_SEQ_CST) >= rest + 2);
    int status;
    CHECK(kill(confined.host_pid, SIGSTOP) == 0);
    CHECK(waitpid(confined.host_pid, &status, WUNTRACED) == confined.host_pid && WIFSTOPPED(status));
    uint64_t beat = __atomic_load_n(&c->heartbeat, __ATOMIC_RELAXED);
    bell_ring(&c->data_bell, &c->data_sleeping);
    usleep(20000);
    CHECK_EQ(beat, __atomic_load_n(&c->heartbeat, __ATOMIC_RELAXED));
    CHECK(kill(confined.host_pid, SIGCONT) == 0);
    confined_stop();
}

static const struct test tests[] = {
    TEST(a_host_that_waits_costs_nothing),
    TEST(the_heartbeat_shows_a_call_that_does_not_return),
    TEST(the_heartbeat_answers_the_bell),
};

int main(int argc, char **argv)
{
    return run_tests("watch", tests, sizeof tests / sizeof tests[0], argc, argv);
}
