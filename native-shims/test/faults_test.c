/* Injected faults of the software accelerator that its process survives; the crashes are in host_test.c. */
#include <errno.h>

#include "soft_harness.h"

static const char *const settings = "compute_units=1\nfault_injection=true";

static int noop(uint32_t index, uint64_t *tag)
{
    struct command k;
    command_begin(&k);
    command_bind(&k, PROGRAM, 0, 0, ISLE_ACCESS_PROGRAM);
    command_dispatch(&k, 0, 0, NULL);
    return core_submit(&soft, CONTEXT, &k, index, tag);
}

static int begin(void)
{
    int rc = soft_begin(settings, NULL);
    return rc ? rc : core_program(&soft, CONTEXT, PROGRAM, "noop");
}

/* Runs one no-op; its status, or -1 when none came. */
static int outcome(int32_t *detail)
{
    uint64_t tag;
    isle_completion_slot s;
    if (noop(0, &tag) || !core_next(&soft, 20000, &s) || s.tag != tag)
        return -1;
    *detail = s.detail;
    return (int)s.status;
}

static void faults_need_the_setting(void)
{
    CHECK_EQ(0, soft_begin(NULL, NULL));
    CHECK_EQ(IO_NOT_SUPPORTED, soft_inject(ISLE_FAULT_HANG, 0, 1, 0));
    soft_end();
    CHECK_EQ(0, begin());
    CHECK_EQ(-EINVAL, soft_inject(0, 0, 1, 0));
    CHECK_EQ(-EINVAL, soft_inject(ISLE_FAULT_PCIE_REPLAY + 1, 0, 1, 0));
    CHECK_EQ(-EINVAL, soft_inject(ISLE_FAULT_HANG, 0, 0, 0));
    soft_end();
}

static void faults_come_after_and_as_often_as_asked(void)
{
    int32_t detail;
    CHECK_EQ(0, begin());
    CHECK_EQ(0, soft_inject(ISLE_FAULT_PARTIAL_ERROR, 3, 2, 0));
    for (int i = 0; i < 10; i++) {
        int status = outcome(&detail);
        CHECK_EQ(i == 3 || i == 4 ? ACCEL_COMPLETION_PARTIAL_ERROR : ACCEL_COMPLETION_SUCCESS, status);
        CHECK(status == ACCEL_COMPLETION_SUCCESS || detail > 0);
    }
    soft_end();
}

static void latency_delays(void)
{
    uint64_t tag;
    isle_completion_slot s;
    CHECK_EQ(0, begin());
    CHECK_EQ(0, soft_inject(ISLE_FAULT_LATENCY, 0, 1, 20000000));
    CHECK_EQ(0, noop(0, &tag));
    CHECK(core_next(&soft, 20000, &s));
    CHECK(s.status == ACCEL_COMPLETION_SUCCESS && s.end_ns - s.start_ns >= 20000000);
    soft_end();
}

static void a_context_error_lasts_until_reset(void)
{
    int32_t detail;
    uint64_t context = CONTEXT;
    CHECK_EQ(0, begin());
    CHECK_EQ(0, soft_inject(ISLE_FAULT_CONTEXT_ERROR, 0, 1, 0));
    for (int i = 0; i < 3; i++) {
        CHECK_EQ(ACCEL_COMPLETION_ERROR, outcome(&detail));
        CHECK_EQ(-EIO, detail);
    }
    CHECK_EQ(0, core_call(&soft, ISLE_OP_RESET_CONTEXT, &context, sizeof context));
    CHECK_EQ(ACCEL_COMPLETION_SUCCESS, outcome(&detail));
    soft_end();
}

static void a_hang_ends_with_a_reset(void)
{
    uint64_t tags[3], context = CONTEXT;
    isle_completion_slot s;
    CHECK_EQ(0, begin());
    CHECK_EQ(0, soft_inject(ISLE_FAULT_HANG, 1, 1, 0));
    for (uint32_t i = 0; i < 3; i++)
        CHECK_EQ(0, noop(i, &tags[i]));
    CHECK(core_next(&soft, 20000, &s) && s.tag == tags[0]);
    CHECK(!core_next(&soft, 30, &s));
    CHECK_EQ(0, core_call(&soft, ISLE_OP_RESET_CONTEXT, &context, sizeof context));
    for (uint32_t i = 1; i < 3; i++)
        CHECK(core_next(&soft, 1000, &s) && s.tag == tags[i] && s.status == ACCEL_COMPLETION_ERROR && s.detail == -EINTR);
    int32_t detail;
    CHECK_EQ(ACCEL_COMPLETION_SUCCESS, outcome(&detail));
    soft_end();
}

static void a_lost_completion_comes_with_the_reset_once(void)
{
    uint64_t tags[2], context = CONTEXT;
    isle_completion_slot s;
    CHECK_EQ(0, begin());
    CHECK_EQ(0, soft_inject(ISLE_FAULT_LOST_COMPLETION, 0, 1, 0));
    CHECK_EQ(0, noop(0, &tags[0]));
    CHECK_EQ(0, noop(1, &tags[1]));
    CHECK(core_next(&soft, 20000, &s) && s.tag == tags[1]);
    CHECK(!core_next(&soft, 10, &s));
    CHECK_EQ(0, core_call(&soft, ISLE_OP_RESET_CONTEXT, &context, sizeof context));
    CHECK(core_next(&soft, 1000, &s) && s.tag == tags[0] && s.status == ACCEL_COMPLETION_ERROR);
    CHECK(!core_next(&soft, 2, &s));
    CHECK_EQ(0, soft.channel->violations); /* the driver ended it by itself */
    CHECK_EQ(0, soft_inject(ISLE_FAULT_LOST_COMPLETION, 0, 1, 0));
    CHECK_EQ(0, noop(0, &tags[0]));
    CHECK_EQ(0, core_call(&soft, ISLE_OP_DESTROY_CONTEXT, &context, sizeof context));
    CHECK(core_next(&soft, 1000, &s) && s.tag == tags[0] && s.status == ACCEL_COMPLETION_ERROR);
    CHECK_EQ(0, soft.channel->violations);
    soft_end();
}

static void a_reset_of_the_device_disarms(void)
{
    int32_t detail;
    CHECK_EQ(0, begin());
    for (int i = 0; i < 16; i++)
        CHECK_EQ(0, soft_inject(ISLE_FAULT_CONTEXT_ERROR, 100, 1, 0));
    CHECK_EQ(-ENOSPC, soft_inject(ISLE_FAULT_CONTEXT_ERROR, 0, 1, 0));
    CHECK_EQ(0, core_call(&soft, ISLE_OP_RESET_DEVICE, NULL, 0));
    CHECK_EQ(0, soft_inject(ISLE_FAULT_PARTIAL_ERROR, 0, 1, 0));
    CHECK_EQ(ACCEL_COMPLETION_PARTIAL_ERROR, outcome(&detail));
    CHECK_EQ(ACCEL_COMPLETION_SUCCESS, outcome(&detail));
    soft_end();
}

static const struct test tests[] = {
    TEST(faults_need_the_setting),
    TEST(faults_come_after_and_as_often_as_asked),
    TEST(latency_delays),
    TEST(a_context_error_lasts_until_reset),
    TEST(a_hang_ends_with_a_reset),
    TEST(a_lost_completion_comes_with_the_reset_once),
    TEST(a_reset_of_the_device_disarms),
};

int main(int argc, char **argv)
{
    return run_tests("faults", tests, sizeof tests / sizeof tests[0], argc, argv);
}
