/* How far preempted work is: who goes on with it, who ends it, and what it says about itself. */
#define _GNU_SOURCE
#include <errno.h>
#include <unistd.h>

#include "futex.h"
#include "soft_harness.h"

#define LONG_US 400000ull /* much longer than this thread waits for a CPU */

static int begin(const char *settings, const char *program)
{
    int rc = soft_begin(settings, NULL);
    return rc ? rc : core_program(&soft, CONTEXT, PROGRAM, program);
}

/* `count` operations of `us` each in one submission */
static void busy_ops(struct command *k, uint64_t us, int count)
{
    command_begin(k);
    command_bind(k, PROGRAM, 0, 0, ISLE_ACCESS_PROGRAM);
    for (int i = 0; i < count; i++)
        command_dispatch(k, 0, 1, (isle_arg[]){{ISLE_ARG_U64, 0, us}});
}

static AccelPerfCounters counters(void)
{
    AccelPerfCounters n = {0};
    uint64_t context = CONTEXT;
    if (!core_call(&soft, ISLE_OP_PERF_COUNTERS, &context, sizeof context))
        memcpy(&n, core_body(&soft), sizeof n);
    return n;
}

/* Until it leaves in its middle; false when it ended instead. */
static bool leave_once(const struct command *k, uint32_t after_us, isle_completion_slot *s)
{
    uint64_t tag;
    if (core_submit(&soft, CONTEXT, k, 0, &tag))
        return false;
    soft_await_start(tag);
    usleep(after_us);
    return !isle_rt_preempt(soft.rt, CONTEXT, PREEMPT_PRIORITY_INVERSION) && core_next(&soft, 60000, s) && s->tag == tag &&
           s->status == ACCEL_COMPLETION_PREEMPTED && s->detail == -ERESTART;
}

static void each_stretch_says_what_it_took(void)
{
    struct command k;
    isle_completion_slot s;
    uint64_t begun, cpu = 0;
    CHECK_EQ(0, begin("compute_units=1", "busy"));
    busy_ops(&k, LONG_US / 4, 4);
    begun = clock_ns();
    for (int i = 0; i < 5; i++) {
        CHECK(leave_once(&k, 3000, &s));
        CHECK(s.busy_ns > 0 && s.busy_ns <= s.end_ns - s.start_ns + 1000000 && s.start_ns >= begun);
        cpu += s.busy_ns;
    }
    CHECK_EQ(0, core_run(&soft, CONTEXT, &k, NULL));
    AccelPerfCounters n = counters();
    CHECK_EQ(4, n.kernel_count); /* each counted once */
    CHECK(n.vendor_counters[4] >= LONG_US * 1000 && n.vendor_counters[4] < LONG_US * 1500); /* nothing done twice */
    CHECK(cpu < n.vendor_counters[4]);
    soft_end();
}

static void dispatches_are_done_once(void)
{
    struct command k;
    isle_completion_slot s;
    uint64_t tag;
    int stretches = 1;
    CHECK_EQ(0, begin("compute_units=1\npreemption=draw_dispatch", "busy"));
    busy_ops(&k, 30000, 6);
    while (leave_once(&k, 1000, &s)) {
        CHECK(s.busy_ns >= 30000000); /* never in the middle of one */
        stretches++;
    }
    CHECK_EQ(ACCEL_COMPLETION_SUCCESS, s.status);
    CHECK(stretches >= 2 && stretches <= 6);
    CHECK_EQ(6, counters().kernel_count);
    CHECK_EQ(0, core_submit(&soft, CONTEXT, &k, 0, &tag));
    soft_await_start(tag);
    CHECK_EQ(0, isle_rt_preempt(soft.rt, CONTEXT, PREEMPT_EXECUTION_TIMEOUT));
    CHECK_EQ(0, core_expect(&soft, tag, ACCEL_COMPLETION_PREEMPTED, -ETIMEDOUT));
    soft_end();
}

/* How it ends: PREEMPTED and -EAGAIN for longer than anything can be on the way, then ERROR and -EINVAL. */
static int insist(const struct command *other)
{
    for (int i = 0; i < 10000; i++) {
        isle_completion_slot s;
        uint64_t tag;
        if (core_submit(&soft, CONTEXT, other, 0, &tag) || !core_next(&soft, 20000, &s) || s.tag != tag)
            return -1;
        if (s.status == ACCEL_COMPLETION_ERROR && s.detail == -EINVAL)
            return i;
        if (s.status != ACCEL_COMPLETION_PREEMPTED || s.detail != -EAGAIN)
            return -2;
    }
    return -3;
}

static void only_the_same_work_goes_on(void)
{
    struct command k, other;
    isle_completion_slot s;
    uint64_t tag;
    for (int changed = 0; changed < 2; changed++) {
        CHECK_EQ(0, begin("compute_units=1", "busy"));
        busy_ops(&k, LONG_US, 1);
        busy_ops(&other, LONG_US, 1 + !changed);
        if (changed)
            other.bytes[other.length - 8] ^= 1;
        CHECK(leave_once(&k, 5000, &s));
        CHECK_EQ(0, core_submit(&soft, CONTEXT, &other, 0, &tag)); /* before the core knew */
        CHECK_EQ(0, core_expect(&soft, tag, ACCEL_COMPLETION_PREEMPTED, -EAGAIN));
        CHECK_EQ(0, core_run(&soft, CONTEXT, &k, &s));
        CHECK(s.busy_ns < LONG_US * 1000);
        CHECK(leave_once(&k, 5000, &s));
        CHECK_EQ(2048, insist(&other)); /* a queue full */
        CHECK_EQ(0, core_run(&soft, CONTEXT, &k, &s));
        CHECK(s.busy_ns >= LONG_US * 1000); /* from its beginning */
        soft_end();
    }
}

static void a_reset_ends_the_progress(void)
{
    struct command k;
    isle_completion_slot s;
    uint64_t context = CONTEXT;
    for (int device = 0; device < 2; device++) {
        CHECK_EQ(0, begin("compute_units=1", "busy"));
        busy_ops(&k, LONG_US, 1);
        CHECK(leave_once(&k, 5000, &s));
        CHECK_EQ(0, device ? core_call(&soft, ISLE_OP_RESET_DEVICE, NULL, 0)
                           : core_call(&soft, ISLE_OP_RESET_CONTEXT, &context, sizeof context));
        CHECK_EQ(0, core_run(&soft, CONTEXT, &k, &s));
        CHECK(s.busy_ns >= LONG_US * 1000);
        soft_end();
    }
}

/* Also from a context that is gone, and from one that the device still has when it is closed. */
static void nothing_is_left_behind(void)
{
    struct command k;
    isle_completion_slot s;
    uint64_t context = CONTEXT, random = 3, bytes = 8u << 20;
    for (int destroy = 0; destroy < 2; destroy++) {
        CHECK_EQ(0, begin("compute_units=2", "sort"));
        uint8_t *at = soft_memory(A, bytes);
        CHECK(at);
        for (uint64_t i = 0; i < bytes; i += 8)
            memcpy(at + i, &(uint64_t){test_random(&random)}, 8);
        command_begin(&k);
        command_bind(&k, PROGRAM, 0, 0, ISLE_ACCESS_PROGRAM);
        command_bind(&k, A, 0, bytes, READ_ | WRITE_);
        command_dispatch(&k, 0, 2, (isle_arg[]){{ISLE_ARG_BUFFER, 1, 0}, {ISLE_ARG_U32, 0, ISLE_ARG_U64}});
        CHECK(leave_once(&k, 500, &s));
        if (destroy)
            CHECK_EQ(0, core_call(&soft, ISLE_OP_DESTROY_CONTEXT, &context, sizeof context));
        soft_end();
    }
}

static void what_is_behind_comes_back_and_follows_in_order(void)
{
    struct command k, noop;
    isle_completion_slot s;
    uint64_t tags[4], done = 0;
    CHECK_EQ(0, begin("compute_units=1", "busy"));
    busy_ops(&k, LONG_US, 1);
    busy_ops(&noop, 1, 1);
    while (done < LONG_US * 100) { /* a worker that had no CPU yet has done nothing */
        CHECK_EQ(0, core_submit(&soft, CONTEXT, &k, 0, &tags[0]));
        for (uint32_t i = 1; i < 4; i++)
            CHECK_EQ(0, core_submit(&soft, CONTEXT, &noop, i, &tags[i]));
        soft_await_start(tags[0]);
        usleep(20000);
        CHECK_EQ(0, isle_rt_preempt(soft.rt, CONTEXT, PREEMPT_FAIRNESS_TIMEOUT));
        CHECK(core_next(&soft, 20000, &s) && s.tag == tags[0] && s.status == ACCEL_COMPLETION_PREEMPTED && s.detail == -ERESTART);
        done += s.busy_ns;
        for (uint32_t i = 1; i < 4; i++)
            CHECK_EQ(0, core_expect(&soft, tags[i], ACCEL_COMPLETION_PREEMPTED, -EAGAIN));
    }
    CHECK_EQ(0, core_submit(&soft, CONTEXT, &k, 0, &tags[0]));
    for (uint32_t i = 1; i < 4; i++)
        CHECK_EQ(0, core_submit(&soft, CONTEXT, &noop, i, &tags[i]));
    for (uint32_t i = 0; i < 4; i++) {
        CHECK(core_next(&soft, 20000, &s) && s.tag == tags[i] && s.status == ACCEL_COMPLETION_SUCCESS);
        CHECK(i || s.busy_ns < LONG_US * 1000 - done / 2); /* the rest of it */
    }
    soft_end();
}

static const struct test tests[] = {
    TEST(each_stretch_says_what_it_took),
    TEST(dispatches_are_done_once),
    TEST(only_the_same_work_goes_on),
    TEST(a_reset_ends_the_progress),
    TEST(nothing_is_left_behind),
    TEST(what_is_behind_comes_back_and_follows_in_order),
};

int main(int argc, char **argv)
{
    return run_tests("progress", tests, sizeof tests / sizeof tests[0], argc, argv);
}
