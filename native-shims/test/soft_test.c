/* The software accelerator's order, resets and reports. */
#include <errno.h>
#include <stdlib.h>

#include "futex.h"
#include "soft_harness.h"

static AccelUtilization usage(void)
{
    AccelUtilization u = {0};
    if (!core_call(&soft, ISLE_OP_UTILIZATION, NULL, 0))
        memcpy(&u, core_body(&soft), sizeof u);
    return u;
}

static bool next(isle_completion_slot *s)
{
    return core_next(&soft, 20000, s);
}

static void work_of_a_context_runs_in_order(void)
{
    struct command k;
    CHECK_EQ(0, soft_begin("compute_units=4", NULL));
    uint8_t *a = soft_memory(A, 4096);
    for (uint32_t round = 0; round < 20; round++) {
        uint64_t tag;
        isle_completion_slot s;
        for (uint32_t i = 0; i < TEST_INFLIGHT; i++) {
            command_begin(&k);
            command_bind(&k, A, 0, 4096, WRITE_);
            command_fill(&k, 0, i % 2, 4000, i);
            CHECK_EQ(0, core_submit(&soft, CONTEXT, &k, i, &tag));
        }
        for (uint32_t i = 0; i < TEST_INFLIGHT; i++) {
            CHECK(next(&s));
            CHECK_EQ(i, (uint32_t)s.tag);
        }
        CHECK_EQ(TEST_INFLIGHT - 1, a[1]);
    }
    soft_end();
}

static void a_reset_ends_running_and_queued_work(void)
{
    uint64_t tags[8], context = CONTEXT;
    isle_completion_slot s;
    CHECK_EQ(0, soft_begin("compute_units=1", NULL));
    CHECK_EQ(0, core_program(&soft, CONTEXT, PROGRAM, "busy"));
    for (uint32_t i = 0; i < 8; i++)
        CHECK_EQ(0, soft_busy(CONTEXT, 600000000, i, &tags[i]));
    CHECK_EQ(0, core_call(&soft, ISLE_OP_RESET_CONTEXT, &context, sizeof context));
    for (uint32_t i = 0; i < 8; i++) {
        CHECK(next(&s) && s.tag == tags[i] && s.status == ACCEL_COMPLETION_ERROR);
        CHECK_EQ(-EINTR, s.detail);
    }
    CHECK_EQ(0, soft.channel->violations);
    CHECK_EQ(0, soft_busy(CONTEXT, 10, 0, &tags[0]));
    CHECK(next(&s) && s.status == ACCEL_COMPLETION_SUCCESS);
    CHECK_EQ(0, soft_busy(CONTEXT, 600000000, 0, &tags[0]));
    CHECK_EQ(0, core_call(&soft, ISLE_OP_RESET_DEVICE, NULL, 0));
    CHECK(next(&s) && s.detail == -EINTR);
    CHECK_EQ(0, soft_busy(CONTEXT, 600000000, 0, &tags[0]));
    CHECK_EQ(0, core_call(&soft, ISLE_OP_CLOSE, NULL, 0));
    CHECK(next(&s) && s.detail == -ISLE_ECLOSED && s.tag == tags[0]);
    CHECK_EQ(0, soft.channel->violations);
    soft_end();
}

static void reports_are_complete_and_plausible(void)
{
    AccelDeviceInfo info;
    AccelPowerState power;
    ComputeCapabilities caps;
    AccelPerfCounters n;
    isle_completion_slot s;
    uint64_t tag, context = CONTEXT;
    CHECK_EQ(0, soft_begin("compute_units=2\nclass=npu\nmemory_bytes=8MiB", NULL));
    CHECK_EQ(0, core_call(&soft, ISLE_OP_INFO, NULL, 0));
    memcpy(&info, core_body(&soft), sizeof info);
    CHECK(info.device_class == ACCEL_CLASS_NPU && info.compute_units == 2 && info.local_memory_bytes == 8 << 20);
    CHECK(info.max_contexts == 64 && info.max_cmd_buffer_size == 65536 && info.preemption_granularity == PREEMPTION_INSTRUCTION);
    CHECK(soft_memory(A, 1 << 20) && soft_memory(B, 4096));
    CHECK_EQ(0, core_program(&soft, CONTEXT, PROGRAM, "busy"));
    usage();
    CHECK_EQ(0, soft_busy(CONTEXT, 50000, 0, &tag));
    CHECK(next(&s));
    CHECK(s.busy_ns >= 49000000 && s.busy_ns <= s.end_ns - s.start_ns + 1000000);
    AccelUtilization u = usage();
    CHECK(u.compute_percent > 0 && u.compute_percent <= 100 && u.memory_bw_percent <= 100);
    CHECK(u.memory_used_bytes == (1 << 20) + 4096 && u.memory_total_bytes == 8 << 20 && u.active_contexts == 2);
    CHECK(u.temperature_mc > 35000 && u.temperature_mc < 100000 && u.power_mw >= 2000 && u.clock_mhz >= 1000);
    struct command k;
    CHECK_EQ(0, core_program(&soft, CONTEXT, PROGRAM + 1, "sha256"));
    soft_dispatch(&k, 1 << 20, 32 * 16, ISLE_ARG_U64, 65536);
    uint64_t sha = PROGRAM + 1;
    memcpy(k.bytes + 64 + 2 * 32, &sha, 8);
    CHECK_EQ(0, core_run(&soft, CONTEXT, &k, &s));
    CHECK_EQ(0, core_call(&soft, ISLE_OP_PERF_COUNTERS, &context, sizeof context));
    memcpy(&n, core_body(&soft), sizeof n);
    CHECK(n.bytes_read == 1 << 20 && n.bytes_written == 512 && n.kernel_count == 2 && n.execution_ns >= 50000000);
    CHECK(n.vendor_counters[0] == 2 && n.vendor_counters[5] == 16 && n.vendor_counters[6] == (1 << 20) + 4096);
    CHECK_EQ(0, core_call(&soft, ISLE_OP_COMPUTE_CAPS, NULL, 0));
    memcpy(&caps, core_body(&soft), sizeof caps);
    CHECK(caps.shader_cores == 2 && caps.fp32_gflops > 0);
    uint32_t level = ACCEL_PERF_LOW;
    CHECK_EQ(0, core_call(&soft, ISLE_OP_SET_PERF_LEVEL, &level, sizeof level));
    CHECK_EQ(0, core_call(&soft, ISLE_OP_POWER, NULL, 0));
    memcpy(&power, core_body(&soft), sizeof power);
    CHECK(power.perf_level == ACCEL_PERF_LOW && power.clock_mhz == 1000 && power.state == ACCEL_POWER_D0_ACTIVE);
    level = 4;
    CHECK_EQ(-EINVAL, core_call(&soft, ISLE_OP_SET_PERF_LEVEL, &level, sizeof level));
    soft_end();
}

static void each_class_and_granularity_is_reported(void)
{
    static const struct {
        const char *name;
        AccelDeviceClass number;
    } classes[] = {{"gpu", ACCEL_CLASS_GPU}, {"gpu_compute", ACCEL_CLASS_GPU_COMPUTE}, {"npu", ACCEL_CLASS_NPU}, {"tpu", ACCEL_CLASS_TPU},
                   {"fpga", ACCEL_CLASS_FPGA}, {"dsp", ACCEL_CLASS_DSP}, {"media_processor", ACCEL_CLASS_MEDIA_PROCESSOR},
                   {"compute_storage", ACCEL_CLASS_COMPUTE_STORAGE}, {"other", ACCEL_CLASS_OTHER}};
    static const struct {
        const char *name;
        PreemptionGranularity number;
    } granularities[] = {{"none", PREEMPTION_NONE}, {"command_buffer", PREEMPTION_COMMAND_BUFFER}, {"draw_dispatch", PREEMPTION_DRAW_DISPATCH},
                         {"instruction", PREEMPTION_INSTRUCTION}};
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        char settings[96];
        AccelDeviceInfo info;
        snprintf(settings, sizeof settings, "compute_units=1\nclass=%s\npreemption=%s", classes[i].name, granularities[i % 4].name);
        CHECK_EQ(0, soft_begin(settings, NULL));
        CHECK_EQ(0, core_call(&soft, ISLE_OP_INFO, NULL, 0));
        memcpy(&info, core_body(&soft), sizeof info);
        CHECK_EQ(classes[i].number, info.device_class);
        CHECK_EQ(granularities[i % 4].number, info.preemption_granularity);
        soft_end();
    }
}

static void many_contexts_share_the_units(void)
{
    enum { CONTEXTS = 30, ROUNDS = 2000 };
    CHECK_EQ(0, soft_begin("compute_units=3", NULL));
    uint32_t left[CONTEXTS];
    isle_completion_slot s;
    uint64_t tag;
    for (uint32_t i = 0; i < CONTEXTS; i++) {
        isle_create_context q = {.context = CONTEXT + 10 + i, .priority = i % 4};
        CHECK_EQ(0, core_call(&soft, ISLE_OP_CREATE_CONTEXT, &q, sizeof q));
        CHECK_EQ(0, core_program(&soft, CONTEXT + 10 + i, PROGRAM + 10 + i, "noop"));
        left[i] = ROUNDS;
    }
    for (uint32_t done = 0, flying = 0, i = 0; done < CONTEXTS * ROUNDS;) {
        struct command k;
        if (flying < CONTEXTS && left[i] && soft.generation[i] + left[i] == ROUNDS) {
            command_begin(&k);
            command_bind(&k, PROGRAM + 10 + i, 0, 0, ISLE_ACCESS_PROGRAM);
            command_dispatch(&k, 0, 0, NULL);
            CHECK_EQ(0, core_submit(&soft, CONTEXT + 10 + i, &k, i, &tag));
            flying++;
            i = (i + 1) % CONTEXTS;
            continue;
        }
        CHECK(next(&s));
        CHECK_EQ(0, s.status);
        left[(uint32_t)s.tag]--;
        flying--, done++;
        i = (uint32_t)s.tag;
    }
    CHECK_EQ(0, soft.channel->violations);
    soft_end();
}

static const struct test tests[] = {
    TEST(work_of_a_context_runs_in_order),
    TEST(a_reset_ends_running_and_queued_work),
    TEST(reports_are_complete_and_plausible),
    TEST(each_class_and_granularity_is_reported),
    TEST(many_contexts_share_the_units),
};

int main(int argc, char **argv)
{
    return run_tests("soft", tests, sizeof tests / sizeof tests[0], argc, argv);
}
