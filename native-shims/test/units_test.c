/* Who gets the compute units of the software accelerator, and what it says about their time. */
#include <errno.h>
#include <unistd.h>

#include "futex.h"
#include "soft_harness.h"

#define MIB (1u << 20)
#define MORE(i) core_id(ISLE_KIND_CONTEXT, 1, 10 + (i))
#define MORE_PROGRAM(i) core_id(ISLE_KIND_PROGRAM, 1, 10 + (i))

static int begin(const char *settings, const char *program)
{
    char text[128];
    snprintf(text, sizeof text, "%s\nmemory_bytes=1GiB", settings);
    int rc = soft_begin(text, NULL);
    rc = rc ? rc : core_program(&soft, CONTEXT, PROGRAM, program);
    return rc ? rc : core_program(&soft, OTHER, PROGRAM + 1, "busy");
}

static bool next(isle_completion_slot *s)
{
    return core_next(&soft, 60000, s);
}

/* `count` blocks that take long, one of them a unit's work */
static int long_blocks(uint32_t count, uint64_t *tag)
{
    struct command k;
    isle_alloc_response r;
    uint64_t block = 128u * MIB;
    int rc = core_alloc(&soft, CONTEXT, A, count * block, 0, &r);
    rc = rc ? rc : core_alloc(&soft, CONTEXT, B, 4096, 0, &r);
    soft_dispatch(&k, count * block, 32 * count, ISLE_ARG_U64, block);
    return rc ? rc : core_submit(&soft, CONTEXT, &k, 0, tag);
}

static int more(uint32_t i, AccelPriority priority)
{
    isle_create_context q = {.context = MORE(i), .owner_pid = 1, .priority = priority};
    int rc = core_call(&soft, ISLE_OP_CREATE_CONTEXT, &q, sizeof q);
    return rc ? rc : core_program(&soft, MORE(i), MORE_PROGRAM(i), "busy");
}

static int more_busy(uint32_t i, uint64_t us, uint32_t index, uint64_t *tag)
{
    struct command k;
    command_begin(&k);
    command_bind(&k, MORE_PROGRAM(i), 0, 0, ISLE_ACCESS_PROGRAM);
    command_dispatch(&k, 0, 1, (isle_arg[]){{ISLE_ARG_U64, 0, us}});
    return core_submit(&soft, MORE(i), &k, index, tag);
}

static void who_helps_leaves_for_who_waits(void)
{
    uint64_t tag, other;
    isle_completion_slot s;
    CHECK_EQ(0, begin("compute_units=2", "sha256"));
    CHECK_EQ(0, long_blocks(2, &tag));
    soft_await_start(tag);
    usleep(2000);
    CHECK_EQ(0, soft_busy(OTHER, 100, 1, &other));
    CHECK(next(&s) && s.tag == other && s.status == ACCEL_COMPLETION_SUCCESS);
    CHECK(next(&s) && s.tag == tag && s.status == ACCEL_COMPLETION_SUCCESS);
    soft_end();
}

static void a_preemption_frees_all_units(void)
{
    uint64_t tag, tags[3];
    isle_completion_slot s, first = {0};
    CHECK_EQ(0, begin("compute_units=3", "sha256"));
    for (uint32_t i = 0; i < 3; i++)
        CHECK_EQ(0, more(i, ACCEL_PRIORITY_BACKGROUND));
    CHECK_EQ(0, long_blocks(6, &tag));
    soft_await_start(tag);
    usleep(2000);
    CHECK_EQ(0, isle_rt_preempt(soft.rt, CONTEXT, PREEMPT_PRIORITY_INVERSION));
    CHECK(next(&s) && s.tag == tag && s.status == ACCEL_COMPLETION_PREEMPTED && s.detail == -ERESTART);
    uint64_t left = s.end_ns;
    for (uint32_t i = 0; i < 3; i++)
        CHECK_EQ(0, more_busy(i, 100000, i, &tags[i]));
    CHECK(next(&first) && first.status == ACCEL_COMPLETION_SUCCESS);
    for (uint32_t i = 0; i < 2; i++) {
        CHECK(next(&s) && s.status == ACCEL_COMPLETION_SUCCESS);
        CHECK(s.start_ns >= left && s.start_ns < first.end_ns); /* side by side */
    }
    soft_end();
}

static void contexts_take_turns(void)
{
    uint64_t tags[4];
    isle_completion_slot s;
    CHECK_EQ(0, begin("compute_units=1", "busy"));
    for (uint32_t i = 0; i < 3; i++)
        CHECK_EQ(0, soft_busy(CONTEXT, 50000, i, &tags[i]));
    soft_await_start(tags[0]);
    CHECK_EQ(0, soft_busy(OTHER, 100, 3, &tags[3]));
    CHECK(next(&s) && s.tag == tags[0]);
    CHECK(next(&s) && s.tag == tags[3]);
    CHECK(next(&s) && s.tag == tags[1]);
    CHECK(next(&s) && s.tag == tags[2]);
    soft_end();
}

static void a_higher_priority_goes_first(void)
{
    uint64_t tags[5];
    isle_completion_slot s;
    CHECK_EQ(0, begin("compute_units=1", "busy")); /* its contexts are of normal priority */
    CHECK_EQ(0, more(0, ACCEL_PRIORITY_REALTIME));
    CHECK_EQ(0, more(1, ACCEL_PRIORITY_BACKGROUND));
    CHECK_EQ(0, more(2, ACCEL_PRIORITY_HIGH));
    CHECK_EQ(0, soft_busy(CONTEXT, 50000, 0, &tags[0]));
    soft_await_start(tags[0]);
    CHECK_EQ(0, more_busy(1, 100, 1, &tags[1]));
    CHECK_EQ(0, soft_busy(CONTEXT, 100, 2, &tags[2]));
    CHECK_EQ(0, more_busy(2, 100, 3, &tags[3]));
    CHECK_EQ(0, more_busy(0, 100, 4, &tags[4]));
    static const int order[] = {0, 4, 3, 2, 1};
    for (int i = 0; i < 5; i++)
        CHECK(next(&s) && s.tag == tags[order[i]]);
    soft_end();
}

static void counters(uint64_t context, uint64_t *cpu, uint64_t *idle)
{
    AccelPerfCounters n = {0};
    CHECK_EQ(0, core_call(&soft, ISLE_OP_PERF_COUNTERS, &context, sizeof context));
    memcpy(&n, core_body(&soft), sizeof n);
    *cpu = n.vendor_counters[4];
    *idle = n.vendor_counters[7];
}

static void cpu_time_is_that_of_all_workers(void)
{
    uint64_t tag, cpu, idle, before;
    isle_completion_slot s;
    CHECK_EQ(0, begin("compute_units=3", "sha256"));
    counters(CONTEXT, &cpu, &idle);
    CHECK_EQ(0, cpu);
    CHECK_EQ(0, long_blocks(3, &tag));
    CHECK(next(&s) && s.status == ACCEL_COMPLETION_SUCCESS);
    counters(CONTEXT, &cpu, &idle);
    CHECK_EQ(s.busy_ns, cpu);
    CHECK(cpu > 0 && cpu <= 3 * (s.end_ns - s.start_ns) + 1000000);
    counters(OTHER, &cpu, &idle);
    CHECK_EQ(0, cpu);
    CHECK_EQ(0, soft_busy(OTHER, 30000, 0, &tag));
    CHECK(next(&s) && s.tag == tag);
    counters(OTHER, &cpu, &idle);
    CHECK(cpu >= 30000000 && cpu <= s.end_ns - s.start_ns + 1000000);
    before = cpu;
    CHECK_EQ(0, soft_busy(OTHER, 30000000, 0, &tag));
    soft_await_start(tag);
    usleep(5000);
    CHECK_EQ(0, isle_rt_preempt(soft.rt, OTHER, PREEMPT_ADMIN_EVICT));
    CHECK(next(&s) && s.detail == -ERESTART);
    counters(OTHER, &cpu, &idle);
    CHECK_EQ(before + s.busy_ns, cpu); /* of a stretch, too */
    soft_end();
}

static void light_work_has_a_time_without_a_system_call_each(void)
{
    struct command k;
    uint64_t cpu, idle, begun = clock_ns();
    CHECK_EQ(0, begin("compute_units=1", "noop"));
    soft_dispatch(&k, 0, 0, 0, 0);
    for (int i = 0; i < 1000; i++)
        CHECK_EQ(0, core_run(&soft, CONTEXT, &k, NULL));
    counters(CONTEXT, &cpu, &idle);
    CHECK(cpu > 0 && cpu <= 1000 * 50000);
    CHECK(cpu + idle <= clock_ns() - begun);
    soft_end();
}

static void idle_is_what_has_nothing_to_do(void)
{
    uint64_t tag, queued, cpu, created, rested, now, later, begun = clock_ns();
    isle_completion_slot s;
    CHECK_EQ(0, begin("compute_units=1", "busy"));
    counters(OTHER, &cpu, &created);
    usleep(20000);
    counters(OTHER, &cpu, &rested);
    CHECK(rested >= created + 20000000 && rested <= clock_ns() - begun);
    CHECK_EQ(0, soft_busy(CONTEXT, 100000, 0, &tag));
    soft_await_start(tag);
    CHECK_EQ(0, soft_busy(OTHER, 100, 1, &queued)); /* it waits: that is not idle */
    counters(OTHER, &cpu, &now);
    usleep(20000);
    counters(OTHER, &cpu, &later);
    CHECK_EQ(now, later);
    CHECK(now >= rested);
    CHECK(next(&s) && s.tag == tag);
    CHECK(next(&s) && s.tag == queued);
    while (later == now) {
        usleep(100);
        counters(OTHER, &cpu, &later); /* idle again, as soon as the worker has noticed */
    }
    CHECK(later > now && later <= clock_ns() - begun - 100000000);
    soft_end();
}

static const struct test tests[] = {
    TEST(who_helps_leaves_for_who_waits),
    TEST(a_preemption_frees_all_units),
    TEST(contexts_take_turns),
    TEST(a_higher_priority_goes_first),
    TEST(cpu_time_is_that_of_all_workers),
    TEST(light_work_has_a_time_without_a_system_call_each),
    TEST(idle_is_what_has_nothing_to_do),
};

int main(int argc, char **argv)
{
    return run_tests("units", tests, sizeof tests / sizeof tests[0], argc, argv);
}
