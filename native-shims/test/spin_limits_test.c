/* Handlers that do not end, and what ends them. */
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "handlers/hostile.h"
#include "spin_harness.h"

static struct rig rig;

/* 0, or what is different from a trap of the cause. */
static int traps(uint32_t cause, uint8_t action, uint32_t argument)
{
    uint32_t packet[16] = {action, argument};
    int result = rig_run(&rig, 3, ISLE_SPIN_PACKET, 0, packet, sizeof packet);
    if (result != ISLE_SPIN_TRAPPED)
        return 1000 + result;
    return rig.rings->hpus[3].end.cause == cause ? 0 : (int)rig.rings->hpus[3].end.cause;
}

/* Whether it ends by its time. */
static bool is_ended(uint8_t action)
{
    return traps(ISLE_SPIN_CPU_TIME, action, 0) < 1000 && spin_time_was_over(&rig.rings->hpus[3].end, rig.how.limits.handler_limit_us);
}

static int works(uint32_t hpu)
{
    uint32_t packet[16] = {HOSTILE_NOTHING};
    return rig_run(&rig, hpu, ISLE_SPIN_PACKET, 0, packet, sizeof packet);
}

static void loops_end_by_their_time(void)
{
    rig_make(&rig);
    rig.how.limits.handler_limit_us = 50000;
    CHECK_EQ(0, rig_attach(&rig, "hostile.spin"));
    CHECK(is_ended(HOSTILE_LOOP));
    CHECK(is_ended(HOSTILE_CALLS));
    CHECK(is_ended(HOSTILE_LOCK)); /* it has the lock already */
    CHECK(is_ended(HOSTILE_PRINTS));
    CHECK(rig.rings->counters.text_lost > 0);
    CHECK_EQ(ISLE_SPIN_TEXT / 6 * 6, rig.rings->text_written);
    CHECK_EQ(ISLE_SPIN_DONE, works(3));
    rig_free(&rig);
}

/* Nobody takes its frames: it waits, without CPU time. */
static void a_flood_of_frames_ends_by_its_time(void)
{
    uint8_t frame[ISLE_SPIN_FRAME];
    rig_make(&rig);
    rig.how.limits.handler_limit_us = 10000;
    CHECK_EQ(0, rig_attach(&rig, "hostile.spin"));
    CHECK_EQ(0, traps(ISLE_SPIN_WALL_TIME, HOSTILE_SENDS, 0));
    for (uint32_t i = 0; i < ISLE_SPIN_SENDS; i++)
        CHECK_EQ(64, rig_sent(&rig, 3, frame));
    CHECK_EQ(0, rig_sent(&rig, 3, frame));
    CHECK_EQ(ISLE_SPIN_DONE, works(3));
    rig_free(&rig);
}

static void a_host_that_does_not_answer_is_a_trap(void)
{
    rig_make(&rig);
    rig.how.limits.handler_limit_us = 5000; /* 100 ms of any time: waiting does not count */
    rig.how.limits.host_wait_ms = 500;
    CHECK_EQ(0, rig_attach(&rig, "hostile.spin"));
    CHECK_EQ(0, traps(ISLE_SPIN_HOST_TIME, HOSTILE_WAIT, 0));
    CHECK(rig.rings->hpus[3].end.end_ns - rig.rings->hpus[3].end.start_ns >= 500000000u);
    rig_free(&rig);
}

/* One HPU loops again and again; the others' tasks are done. */
static void neighbours_go_on(void)
{
    uint32_t loop[16] = {HOSTILE_LOOP};
    rig_make(&rig);
    CHECK_EQ(0, rig_attach(&rig, "hostile.spin"));
    for (int round = 0; round < 5; round++) {
        rig_post(&rig, 0, ISLE_SPIN_PACKET, 0, loop, sizeof loop);
        for (uint32_t hpu = 1; hpu < ISLE_SPIN_HPUS; hpu++)
            CHECK_EQ(ISLE_SPIN_DONE, works(hpu));
        CHECK(rig_wait(&rig, 0));
        CHECK_EQ(ISLE_SPIN_TRAPPED, rig.rings->hpus[0].end.result);
    }
    rig_free(&rig);
}

static void many_traps_in_a_row_stop_the_context(void)
{
    rig_make(&rig);
    rig.how.limits.trap_limit = 3;
    CHECK_EQ(0, rig_attach(&rig, "hostile.spin"));
    CHECK_EQ(0, traps(ISLE_SPIN_ILLEGAL, HOSTILE_ILLEGAL, 0));
    CHECK_EQ(0, traps(ISLE_SPIN_ILLEGAL, HOSTILE_ILLEGAL, 0));
    CHECK_EQ(ISLE_SPIN_DONE, works(3));
    for (int i = 0; i < 3; i++) {
        CHECK_EQ(0, rig.rings->stopped);
        CHECK_EQ(0, traps(ISLE_SPIN_ILLEGAL, HOSTILE_ILLEGAL, 0));
    }
    CHECK_EQ(1, rig.rings->stopped);
    CHECK_EQ(ISLE_SPIN_REFUSED, works(3));
    rig_free(&rig);
}

static void detaching_ends_what_runs(void)
{
    uint32_t loop[16] = {HOSTILE_LOOP}, wait[16] = {HOSTILE_WAIT}, send[16] = {HOSTILE_SENDS};
    rig_make(&rig);
    rig.how.limits.handler_limit_us = 10000000;
    rig.how.limits.host_wait_ms = 60000;
    CHECK_EQ(0, rig_attach(&rig, "hostile.spin"));
    rig_post(&rig, 0, ISLE_SPIN_PACKET, 0, loop, sizeof loop);
    rig_post(&rig, 1, ISLE_SPIN_PACKET, 0, wait, sizeof wait);
    rig_post(&rig, 2, ISLE_SPIN_PACKET, 0, send, sizeof send);
    while (!__atomic_load_n(&rig.handler[HOSTILE_BEGUN], __ATOMIC_ACQUIRE) || !__atomic_load_n(&rig.rings->hpus[1].end.waiting, __ATOMIC_ACQUIRE) ||
           !__atomic_load_n(&rig.handler[HOSTILE_BEGUN + 2], __ATOMIC_ACQUIRE))
        usleep(100);
    rig_detach(&rig);
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_EQ(ISLE_SPIN_TRAPPED, rig.rings->hpus[i].end.result);
        CHECK_EQ(ISLE_SPIN_STOPPED, rig.rings->hpus[i].end.cause);
    }
    rig_free(&rig);
}

static void exits(void *argument, uint32_t hpu)
{
    (void)argument;
    _exit(40 + (int)hpu);
}

static int in_child(uint8_t action, uint32_t argument)
{
    int status;
    pid_t child = fork();
    if (!child) {
        uint32_t packet[16] = {action, argument};
        rig_make(&rig);
        rig.how.stuck = exits;
        rig.how.limits.handler_limit_us = 10000;
        if (!rig_attach(&rig, "hostile.spin"))
            rig_run(&rig, 2, ISLE_SPIN_PACKET, 0, packet, sizeof packet);
        _exit(1);
    }
    return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Assembly can block signals and end the thread: then the process is the boundary. */
static void one_that_hears_no_signal_costs_its_process(void)
{
    CHECK_EQ(42, in_child(HOSTILE_DEAF, 0));
    CHECK_EQ(42, in_child(HOSTILE_CALL, SYS_exit));
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {TEST(loops_end_by_their_time),
                                        TEST(a_flood_of_frames_ends_by_its_time),
                                        TEST(a_host_that_does_not_answer_is_a_trap),
                                        TEST(neighbours_go_on),
                                        TEST(many_traps_in_a_row_stop_the_context),
                                        TEST(detaching_ends_what_runs),
                                        TEST(one_that_hears_no_signal_costs_its_process)};
    if (!rig_can("spin_limits", sizeof tests / sizeof *tests))
        return 0;
    return run_tests("spin_limits", tests, sizeof tests / sizeof *tests, argc, argv);
}
