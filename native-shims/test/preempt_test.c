/* Where work leaves the engine at each granularity of the software accelerator. */
#include <errno.h>

#include "soft_harness.h"

#define LONG_US 600000000ull
#define C core_id(ISLE_KIND_MEMORY, 1, 3)

static const AccelContextLimits *limits;

static int begin(const char *granularity)
{
    char settings[96];
    snprintf(settings, sizeof settings, "compute_units=1\nfault_injection=true\npreemption=%s", granularity);
    int rc = soft_begin(settings, limits);
    return rc ? rc : core_program(&soft, CONTEXT, PROGRAM, "busy");
}

static bool next(isle_completion_slot *s)
{
    return core_next(&soft, 20000, s);
}

/* Preempts until the work has ended, as a core does that is not heard. */
static bool preempt_until(uint32_t reason, isle_completion_slot *s)
{
    for (int i = 0; i < 2000; i++) {
        if (isle_rt_preempt(soft.rt, CONTEXT, reason))
            return false;
        if (core_next(&soft, 10, s))
            return true;
    }
    return false;
}

/* `count` dispatches of busy work in one submission */
static int busy_ops(uint64_t us, int count, uint64_t *tag)
{
    struct command k;
    command_begin(&k);
    command_bind(&k, PROGRAM, 0, 0, ISLE_ACCESS_PROGRAM);
    for (int i = 0; i < count; i++)
        command_dispatch(&k, 0, 1, (isle_arg[]){{ISLE_ARG_U64, 0, us}});
    return core_submit(&soft, CONTEXT, &k, 0, tag);
}

static uint64_t kernels(void)
{
    AccelPerfCounters n = {0};
    uint64_t context = CONTEXT;
    if (!core_call(&soft, ISLE_OP_PERF_COUNTERS, &context, sizeof context))
        memcpy(&n, core_body(&soft), sizeof n);
    return n.kernel_count;
}

static void instructions_stop_in_a_kernel(void)
{
    uint64_t tag, other;
    isle_completion_slot s;
    CHECK_EQ(0, begin("instruction"));
    CHECK_EQ(0, soft_busy(CONTEXT, LONG_US, 0, &tag));
    soft_await_start(tag);
    CHECK(preempt_until(PREEMPT_EXECUTION_TIMEOUT, &s));
    CHECK(s.tag == tag && s.status == ACCEL_COMPLETION_PREEMPTED && s.detail == -ETIMEDOUT);
    CHECK_EQ(0, soft_busy(CONTEXT, LONG_US, 0, &tag));
    soft_await_start(tag);
    CHECK(preempt_until(PREEMPT_PRIORITY_INVERSION, &s));
    CHECK(s.tag == tag && s.status == ACCEL_COMPLETION_PREEMPTED && s.detail == -ERESTART);
    uint64_t context = CONTEXT;
    CHECK_EQ(0, core_call(&soft, ISLE_OP_RESET_CONTEXT, &context, sizeof context));
    CHECK_EQ(0, soft_busy(CONTEXT, 10, 0, &other)); /* the context goes on */
    CHECK(next(&s) && s.tag == other && s.status == ACCEL_COMPLETION_SUCCESS);
    soft_end();
}

/* Whether the last bytes of B, which the CPU does not see, are as they were. */
static bool end_is_zero(uint64_t length)
{
    struct command k;
    uint8_t *seen = soft_memory(C, 4096);
    command_begin(&k);
    command_bind(&k, C, 0, 32, WRITE_);
    command_bind(&k, B, length - 32, 32, READ_);
    command_copy(&k, 0, 1, 32);
    if (!seen || core_run(&soft, CONTEXT, &k, NULL))
        return false;
    return !memcmp(seen, (uint8_t[32]){0}, 32);
}

/* However small the pieces that a loop is made of, or however large. */
static void instructions_stop_in_any_loop(void)
{
    static const struct {
        uint64_t in, out, block;
    } loops[] = {{8u << 20, 256u << 20, 1}, {128u << 20, 256u << 20, 16}, {512u << 20, 32, 1u << 30}};
    for (size_t i = 0; i < sizeof loops / sizeof loops[0]; i++) {
        uint64_t tag;
        isle_completion_slot s;
        isle_alloc_response r;
        struct command k;
        CHECK_EQ(0, soft_begin("compute_units=1\nmemory_bytes=1GiB", NULL));
        CHECK_EQ(0, core_program(&soft, CONTEXT, PROGRAM, "sha256"));
        CHECK_EQ(0, core_alloc(&soft, CONTEXT, A, loops[i].in, 0, &r));
        CHECK_EQ(0, core_alloc(&soft, CONTEXT, B, loops[i].out, 0, &r));
        soft_dispatch(&k, loops[i].in, loops[i].out, ISLE_ARG_U64, loops[i].block);
        CHECK_EQ(0, core_submit(&soft, CONTEXT, &k, 0, &tag));
        soft_await_start(tag);
        CHECK(preempt_until(PREEMPT_EXECUTION_TIMEOUT, &s));
        CHECK(s.tag == tag && s.status == ACCEL_COMPLETION_PREEMPTED);
        CHECK(end_is_zero(loops[i].out));
        soft_end();
    }
}

static void dispatches_end_before_their_submission_does(void)
{
    uint64_t tag;
    isle_completion_slot s;
    CHECK_EQ(0, begin("draw_dispatch"));
    CHECK_EQ(0, busy_ops(20000, 50, &tag));
    soft_await_start(tag);
    CHECK(preempt_until(PREEMPT_EXECUTION_TIMEOUT, &s));
    CHECK(s.tag == tag && s.status == ACCEL_COMPLETION_PREEMPTED && s.detail == -ETIMEDOUT);
    uint64_t begun = kernels();
    CHECK(begun >= 1 && begun < 50);
    CHECK(s.busy_ns >= 19000000); /* never in the middle of one */
    soft_end();
}

/* Where work cannot be taken off the engine: at its end it is told that its time was up. */
static void others_run_to_their_end(void)
{
    static const char *const granularities[] = {"none", "command_buffer"};
    for (int g = 0; g < 2; g++) {
        uint64_t tag;
        isle_completion_slot s;
        CHECK_EQ(0, begin(granularities[g]));
        CHECK_EQ(0, busy_ops(50000, 5, &tag));
        soft_await_start(tag);
        CHECK_EQ(0, isle_rt_preempt(soft.rt, CONTEXT, PREEMPT_EXECUTION_TIMEOUT));
        CHECK_EQ(-EINVAL, isle_rt_preempt(soft.rt, CONTEXT, 4));
        CHECK_EQ(0, isle_rt_preempt(soft.rt, CONTEXT, PREEMPT_FAIRNESS_TIMEOUT)); /* is no other reason to leave */
        CHECK(next(&s) && s.tag == tag);
        CHECK_EQ(ACCEL_COMPLETION_TIMEOUT, s.status);
        CHECK_EQ(-ETIMEDOUT, s.detail);
        CHECK_EQ(5, kernels());
        CHECK_EQ(0, busy_ops(50000, 2, &tag));
        soft_await_start(tag);
        CHECK_EQ(0, isle_rt_preempt(soft.rt, CONTEXT, PREEMPT_FAIRNESS_TIMEOUT));
        CHECK(next(&s) && s.tag == tag && s.status == ACCEL_COMPLETION_SUCCESS); /* nothing was overdue */
        soft_end();
    }
}

static void a_limit_concerns_the_work_on_the_engine_alone(void)
{
    uint64_t tags[4];
    isle_completion_slot s;
    CHECK_EQ(0, begin("instruction"));
    CHECK_EQ(0, soft_busy(CONTEXT, LONG_US, 0, &tags[0]));
    for (uint32_t i = 1; i < 4; i++)
        CHECK_EQ(0, soft_busy(CONTEXT, 100, i, &tags[i]));
    soft_await_start(tags[0]);
    CHECK_EQ(0, isle_rt_preempt(soft.rt, CONTEXT, PREEMPT_EXECUTION_TIMEOUT));
    CHECK(next(&s) && s.tag == tags[0] && s.status == ACCEL_COMPLETION_PREEMPTED);
    for (uint32_t i = 1; i < 4; i++)
        CHECK(next(&s) && s.tag == tags[i] && s.status == ACCEL_COMPLETION_SUCCESS);
    soft_end();
}

static void work_within_its_limit_is_left_alone(void)
{
    uint64_t tag;
    isle_completion_slot s;
    limits = &(AccelContextLimits){.max_execution_us = 600000000};
    int rc = begin("instruction");
    limits = NULL;
    CHECK_EQ(0, rc);
    CHECK_EQ(0, soft_busy(CONTEXT, 20000, 0, &tag));
    soft_await_start(tag);
    CHECK_EQ(0, isle_rt_preempt(soft.rt, CONTEXT, PREEMPT_EXECUTION_TIMEOUT));
    CHECK(next(&s) && s.tag == tag && s.status == ACCEL_COMPLETION_SUCCESS);
    soft_end();
    limits = &(AccelContextLimits){.max_execution_us = 1000};
    rc = begin("instruction");
    limits = NULL;
    CHECK_EQ(0, rc);
    CHECK_EQ(0, soft_busy(CONTEXT, LONG_US, 0, &tag));
    soft_await_start(tag);
    CHECK(preempt_until(PREEMPT_EXECUTION_TIMEOUT, &s));
    CHECK(s.tag == tag && s.status == ACCEL_COMPLETION_PREEMPTED);
    soft_end();
}

/* A cooperative yield: what runs ends, what has not begun comes back. */
static void other_reasons_hand_back_what_has_not_begun(void)
{
    static const char *const granularities[] = {"none", "command_buffer"};
    static const uint32_t reasons[] = {PREEMPT_PRIORITY_INVERSION, PREEMPT_FAIRNESS_TIMEOUT, PREEMPT_ADMIN_EVICT};
    for (uint32_t n = 0; n < 6; n++) {
        uint64_t tags[8];
        isle_completion_slot s;
        CHECK_EQ(0, begin(granularities[n % 2]));
        for (uint32_t i = 0; i < 8; i++)
            CHECK_EQ(0, soft_busy(CONTEXT, 20000, i, &tags[i]));
        soft_await_start(tags[0]);
        CHECK_EQ(0, isle_rt_preempt(soft.rt, CONTEXT, reasons[n / 2]));
        uint32_t back = 0;
        for (uint32_t i = 0; i < 8; i++) {
            CHECK(next(&s) && s.tag == tags[i]);
            CHECK(s.status == ACCEL_COMPLETION_PREEMPTED ? s.detail == -EAGAIN : s.status == ACCEL_COMPLETION_SUCCESS && !back);
            back += s.status == ACCEL_COMPLETION_PREEMPTED;
        }
        CHECK(back >= 1 && back <= 7);
        soft_end();
    }
}

static void hung_work_hears_nothing_but_a_reset(void)
{
    uint64_t tag, context = CONTEXT;
    isle_completion_slot s;
    CHECK_EQ(0, begin("instruction"));
    CHECK_EQ(0, soft_inject(ISLE_FAULT_HANG, 0, 1, 0));
    CHECK_EQ(0, soft_busy(CONTEXT, 10, 0, &tag));
    soft_await_start(tag);
    for (int i = 0; i < 3; i++) {
        CHECK_EQ(0, isle_rt_preempt(soft.rt, CONTEXT, PREEMPT_EXECUTION_TIMEOUT));
        CHECK(!core_next(&soft, 10, &s));
    }
    CHECK_EQ(0, core_call(&soft, ISLE_OP_RESET_CONTEXT, &context, sizeof context));
    CHECK(next(&s) && s.tag == tag && s.status == ACCEL_COMPLETION_ERROR && s.detail == -EINTR);
    soft_end();
}

static const struct test tests[] = {
    TEST(instructions_stop_in_a_kernel),
    TEST(instructions_stop_in_any_loop),
    TEST(dispatches_end_before_their_submission_does),
    TEST(others_run_to_their_end),
    TEST(a_limit_concerns_the_work_on_the_engine_alone),
    TEST(work_within_its_limit_is_left_alone),
    TEST(other_reasons_hand_back_what_has_not_begun),
    TEST(hung_work_hears_nothing_but_a_reset),
};

int main(int argc, char **argv)
{
    return run_tests("preempt", tests, sizeof tests / sizeof tests[0], argc, argv);
}
