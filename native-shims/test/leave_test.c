/* Programs that compute leave the engine in their middle when they are told to. */
#define _GNU_SOURCE
#include <errno.h>
#include <unistd.h>

#include "soft_harness.h"

/*
 * Each takes long. Buffers are filled with their words, the last also its second half with `rest`; at the end of its work a program
 * has changed the last bytes of its last buffer. The second one is a single block of columns and depth.
 */
struct long_one {
    const char *program, *settings;
    uint32_t buffers;
    uint64_t bytes[3];
    uint32_t words[3], rest;
    uint32_t scalar_count, scalars[6];
    bool shows; /* its first results, long before the end */
};
#define ONE 0x3f800000     /* as f32 */
#define ONES 0x01010101u   /* as u8 */
static const struct long_one long_ones[] = {
    {"matmul-f32", "compute_units=1", 3, {96u << 20, 96u << 20, 36u << 20}, {ONE, ONE}, 0, 3, {3072, 3072, 8192}, true},
    {"matmul-f32", "compute_units=1\nsimd=portable", 3, {6u << 20, 2u << 20, 48u << 20}, {ONE, ONE}, 0, 3, {6144, 2048, 256}, true},
    {"matmul-i8", "compute_units=3\nsimd=portable", 3, {48u << 20, 48u << 20, 36u << 20}, {ONES, ONES}, 0, 3, {3072, 3072, 16384}, true},
    {"convolve-u8", "compute_units=1", 3, {36u << 20, 2048, 36u << 20}, {ONES, ONES}, 0, 6, {6144, 6144, 1, 31, 31, 961}, true},
    {"convolve-f32", "compute_units=2\nsimd=portable", 3, {36u << 20, 4096, 36u << 20}, {ONE, ONE}, 0, 5, {3072, 3072, 1, 31, 31}, true},
    {"reduce", "compute_units=1\nsimd=portable", 2, {256u << 20, 8}, {ONE}, 0, 2, {ISLE_ARG_F32, 0}, false},
    {"reduce", "compute_units=3\nsimd=portable", 2, {256u << 20, 8}, {ONES}, 0, 2, {ISLE_ARG_U32, 2}, false},
    {"sort", "compute_units=1", 1, {48u << 20}, {2}, 1, 1, {ISLE_ARG_U64}, false},
    {"sort", "compute_units=3", 1, {48u << 20}, {2 * ONES}, ONES, 1, {ISLE_ARG_U32}, false},
};

static int fill(const struct long_one *l)
{
    struct command k;
    uint32_t last = l->buffers - 1;
    uint64_t half = l->bytes[last] / 2;
    command_begin(&k);
    for (uint32_t b = 0; b < l->buffers; b++)
        command_bind(&k, A + b, 0, l->bytes[b], WRITE_);
    for (uint32_t b = 0; b < l->buffers; b++)
        command_fill(&k, b, 0, l->bytes[b], l->words[b]);
    command_fill(&k, last, half, half, l->rest);
    return core_run(&soft, CONTEXT, &k, NULL);
}

static int begin_long(const struct long_one *l, uint64_t *tag, uint8_t **result)
{
    char settings[128];
    struct command k;
    isle_alloc_response r;
    isle_arg args[9];
    uint32_t last = l->buffers - 1;
    snprintf(settings, sizeof settings, "%s\nmemory_bytes=1GiB", l->settings);
    int rc = soft_begin(settings, NULL);
    rc = rc ? rc : core_program(&soft, CONTEXT, PROGRAM, l->program);
    for (uint32_t b = 0; b < last && !rc; b++)
        rc = core_alloc(&soft, CONTEXT, A + b, l->bytes[b], 0, &r);
    *result = rc ? NULL : soft_memory(A + last, l->bytes[last]);
    rc = rc ? rc : *result ? fill(l) : -ENOMEM;
    command_begin(&k);
    for (uint32_t b = 0; b < l->buffers; b++) {
        uint32_t access = b < last ? READ_ : last ? WRITE_ : READ_ | WRITE_;
        args[b] = (isle_arg){ISLE_ARG_BUFFER, command_bind(&k, A + b, 0, l->bytes[b], access), 0};
    }
    for (uint32_t n = 0; n < l->scalar_count; n++)
        args[l->buffers + n] = (isle_arg){ISLE_ARG_U32, 0, l->scalars[n]};
    command_dispatch(&k, command_bind(&k, PROGRAM, 0, 0, ISLE_ACCESS_PROGRAM), l->buffers + l->scalar_count, args);
    return rc ? rc : core_submit(&soft, CONTEXT, &k, 0, tag);
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
    uint64_t tag, end = l->bytes[l->buffers - 1] - 8;
    uint8_t *result, before[8];
    int rc = begin_long(l, &tag, &result);
    if (rc)
        return rc;
    memcpy(before, (uint32_t[]){l->rest, l->rest}, sizeof before);
    if (l->shows)
        await_first(result);
    else
        soft_await_start(tag);
    rc = isle_rt_preempt(soft.rt, CONTEXT, PREEMPT_EXECUTION_TIMEOUT);
    if (rc || !core_next(&soft, 60000, &s) || s.tag != tag)
        return rc ? rc : -ETIME;
    if (memcmp(result + end, before, sizeof before))
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
