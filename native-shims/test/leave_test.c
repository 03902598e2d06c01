/* Programs that compute leave the engine in their middle when they are told to. */
#define _GNU_SOURCE
#include <errno.h>
#include <unistd.h>

#include "soft_harness.h"

/* Each takes long; inputs are full of `ones`, so that results are not 0. The second is a single block of columns and depth. */
struct long_one {
    const char *program, *settings;
    uint32_t ones;
    uint64_t bytes[3];
    uint32_t scalar_count, scalars[6];
};
#define F32_ONES 0x3f800000
static const struct long_one long_ones[] = {
    {"matmul-f32", "compute_units=1", F32_ONES, {96u << 20, 96u << 20, 36u << 20}, 3, {3072, 3072, 8192}},
    {"matmul-f32", "compute_units=1\nsimd=portable", F32_ONES, {6u << 20, 2u << 20, 48u << 20}, 3, {6144, 2048, 256}},
    {"matmul-i8", "compute_units=3\nsimd=portable", 0x01010101, {48u << 20, 48u << 20, 36u << 20}, 3, {3072, 3072, 16384}},
    {"convolve-u8", "compute_units=1", 0x01010101, {36u << 20, 2048, 36u << 20}, 6, {6144, 6144, 1, 31, 31, 961}},
    {"convolve-f32", "compute_units=2\nsimd=portable", F32_ONES, {36u << 20, 4096, 36u << 20}, 5, {3072, 3072, 1, 31, 31}},
};

static int begin_long(const struct long_one *l, uint64_t *tag, uint8_t **result)
{
    char settings[128];
    struct command k;
    isle_alloc_response r;
    isle_arg args[9];
    uint32_t scalars = l->scalar_count;
    snprintf(settings, sizeof settings, "%s\nmemory_bytes=1GiB", l->settings);
    int rc = soft_begin(settings, NULL);
    rc = rc ? rc : core_program(&soft, CONTEXT, PROGRAM, l->program);
    for (uint32_t b = 0; b < 2 && !rc; b++)
        rc = core_alloc(&soft, CONTEXT, A + b, l->bytes[b], 0, &r);
    *result = rc ? NULL : soft_memory(A + 2, l->bytes[2]);
    command_begin(&k);
    for (uint32_t b = 0; b < 2; b++)
        command_bind(&k, A + b, 0, l->bytes[b], WRITE_);
    for (uint32_t b = 0; b < 2; b++)
        command_fill(&k, b, 0, l->bytes[b], l->ones);
    rc = rc ? rc : core_run(&soft, CONTEXT, &k, NULL);
    command_begin(&k);
    for (uint32_t b = 0; b < 3; b++)
        args[b] = (isle_arg){ISLE_ARG_BUFFER, command_bind(&k, A + b, 0, l->bytes[b], b == 2 ? WRITE_ : READ_), 0};
    for (uint32_t n = 0; n < scalars; n++)
        args[3 + n] = (isle_arg){ISLE_ARG_U32, 0, l->scalars[n]};
    command_dispatch(&k, command_bind(&k, PROGRAM, 0, 0, ISLE_ACCESS_PROGRAM), 3 + scalars, args);
    return rc ? rc : *result ? core_submit(&soft, CONTEXT, &k, 0, tag) : -ENOMEM;
}

/* Until the work is at it: looks at results while they are written. */
__attribute__((no_sanitize_thread)) static void await_first(const uint8_t *result)
{
    while (!*(const volatile uint32_t *)(const void *)result)
        usleep(50);
}

/* 1 when it left in its middle, 0 when it was over before it was told, as this thread may have been kept waiting; else negative. */
static int leaves(const struct long_one *l)
{
    isle_completion_slot s;
    uint64_t tag;
    uint8_t *result;
    int rc = begin_long(l, &tag, &result);
    if (rc)
        return rc;
    await_first(result);
    rc = isle_rt_preempt(soft.rt, CONTEXT, PREEMPT_EXECUTION_TIMEOUT);
    if (rc || !core_next(&soft, 60000, &s) || s.tag != tag)
        return rc ? rc : -ETIME;
    bool finished = memcmp(result + l->bytes[2] - 32, (uint8_t[32]){0}, 32);
    if (finished)
        return 0;
    return s.status == ACCEL_COMPLETION_PREEMPTED && s.detail == -ETIMEDOUT ? 1 : -EIO;
}

static void long_work_leaves_the_engine(void)
{
    for (size_t i = 0; i < sizeof long_ones / sizeof long_ones[0]; i++) {
        int left = 0;
        for (int attempt = 0; !left && attempt < 8; attempt++) {
            left = leaves(&long_ones[i]);
            soft_end();
        }
        CHECK_EQ(1, left);
    }
}

static const struct test tests[] = {TEST(long_work_leaves_the_engine)};

int main(int argc, char **argv)
{
    return run_tests("leave", tests, sizeof tests / sizeof tests[0], argc, argv);
}
