/* Work that left the engine in its middle goes on from there, and nobody can tell from its results. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "soft_harness.h"

#define C core_id(ISLE_KIND_MEMORY, 1, 3)
/* Instrumented code is that much slower. */
#ifdef ISLE_SANITIZED
#define UNIT (128ull << 10)
#define SIDE 200
#else
#define UNIT (1ull << 20)
#define SIDE 700
#endif
#define ATTEMPTS 3000

enum kind { DISPATCH, COPY, OVERLAP_UP, OVERLAP_DOWN, FILL };

/* Buffers A, B, C with what they hold; the last is the result. */
struct one {
    const char *program;
    enum kind kind;
    uint64_t bytes[3];
    uint32_t arg_count;
    isle_arg args[6];
    bool floats;
};
#define U32(v) {ISLE_ARG_U32, 0, v}
static const struct one ones[] = {
    {"sha256", DISPATCH, {32 * UNIT, 2048}, 1, {{ISLE_ARG_U64, 0, 5 * UNIT + 77}}, false},
    {"sha256", DISPATCH, {4 * UNIT, 8 * UNIT}, 1, {{ISLE_ARG_U64, 0, 17}}, false},
    {"histogram", DISPATCH, {40 * UNIT, 2048}, 0, {{0}}, false},
    {"copy", DISPATCH, {30 * UNIT, 30 * UNIT}, 0, {{0}}, false},
    {"copy", COPY, {30 * UNIT, 30 * UNIT}, 0, {{0}}, false},
    {"copy", OVERLAP_UP, {40 * UNIT}, 0, {{0}}, false},
    {"copy", OVERLAP_DOWN, {40 * UNIT}, 0, {{0}}, false},
    {"fill", FILL, {50 * UNIT + 12}, 0, {{0}}, false},
    {"reduce", DISPATCH, {60 * UNIT, 8}, 2, {U32(ISLE_ARG_F32), U32(0)}, true},
    {"reduce", DISPATCH, {60 * UNIT, 8}, 2, {U32(ISLE_ARG_I32), U32(1)}, false},
    {"sort", DISPATCH, {8 * UNIT}, 1, {U32(ISLE_ARG_U64)}, false},
    {"sort", DISPATCH, {6 * UNIT}, 1, {U32(ISLE_ARG_F32)}, false},
    {"matmul-f32", DISPATCH, {SIDE * 900 * 4, 900 * SIDE * 4, SIDE * SIDE * 4}, 3, {U32(SIDE), U32(SIDE), U32(900)}, true},
    {"matmul-i8", DISPATCH, {SIDE * 600, 600 * 2100, SIDE * 2100 * 4}, 3, {U32(SIDE), U32(2100), U32(600)}, false},
    {"convolve-f32", DISPATCH, {1100 * SIDE * 2, 19 * 31 * 4, 1100 * SIDE * 2}, 5,
     {U32(1100), U32(SIDE / 2), U32(1), U32(19), U32(31)}, true},
    {"convolve-u8", DISPATCH, {1100 * SIDE, 15 * 9 * 2, 1100 * SIDE}, 6,
     {U32(1100), U32(SIDE), U32(1), U32(15), U32(9), U32(1000)}, false},
};
#define ONES (sizeof ones / sizeof ones[0])

static const char *const ways[] = {"compute_units=1", "compute_units=3\nsimd=portable"};
#define WAYS 2

static uint32_t buffers(const struct one *o)
{
    return o->bytes[2] ? 3 : o->bytes[1] ? 2 : 1;
}

static int begin(const char *settings, const char *program)
{
    char text[128];
    snprintf(text, sizeof text, "%s\nmemory_bytes=128MiB", settings);
    int rc = soft_begin(text, NULL);
    return rc ? rc : core_program(&soft, CONTEXT, PROGRAM, program);
}

static void put(uint8_t *at, const struct one *o, uint32_t buffer, uint64_t *random)
{
    for (uint64_t i = 0; i + 4 <= o->bytes[buffer]; i += 4) {
        uint32_t word = (uint32_t)test_random(random);
        float f = (float)(int32_t)(word & 0xffffff) / (1 << 20) - 8;
        if (o->floats)
            memcpy(at + i, &f, 4);
        else if (!strcmp(o->program, "convolve-u8") && buffer == 1)
            memcpy(at + i, &(uint32_t){word & 0x00ff00ff}, 4);
        else
            memcpy(at + i, &word, 4);
    }
}

static void make(struct command *k, const struct one *o)
{
    isle_arg args[9];
    uint32_t n = buffers(o), last = n - 1;
    uint64_t half = o->bytes[0] - 7 * UNIT / 2;
    command_begin(k);
    for (uint32_t b = 0; b < n; b++) {
        uint32_t access = b < last ? READ_ : READ_ | WRITE_;
        args[b] = (isle_arg){ISLE_ARG_BUFFER, command_bind(k, A + b, 0, o->bytes[b], access), 0};
    }
    memcpy(args + n, o->args, o->arg_count * sizeof args[0]);
    if (o->kind == DISPATCH)
        command_dispatch(k, command_bind(k, PROGRAM, 0, 0, ISLE_ACCESS_PROGRAM), n + o->arg_count, args);
    else if (o->kind == FILL)
        command_fill(k, 0, 0, o->bytes[0], 0x01020304);
    else if (o->kind == COPY)
        command_copy(k, 1, 0, o->bytes[0]);
    else
        command_op(k,
                   &(isle_op_copy){.op = {ISLE_OP_COPY, 0, sizeof(isle_op_copy)},
                                   .dst_offset = o->kind == OVERLAP_UP ? 7 * UNIT / 2 : 0,
                                   .src_offset = o->kind == OVERLAP_UP ? 0 : 7 * UNIT / 2,
                                   .bytes = half},
                   sizeof(isle_op_copy));
}

/* Submits until it is over, each time with a preemption a while after; how often it left in its middle, or what is wrong. */
static int run_in_stretches(const struct command *k, uint64_t *random, uint32_t most_us)
{
    static const uint32_t reasons[] = {PREEMPT_PRIORITY_INVERSION, PREEMPT_FAIRNESS_TIMEOUT, PREEMPT_ADMIN_EVICT};
    for (int left = 0;;) {
        isle_completion_slot s;
        uint64_t tag;
        int rc = core_submit(&soft, CONTEXT, k, 0, &tag);
        usleep((useconds_t)(test_random(random) % most_us)); /* who has slept gets a CPU before those who compute */
        rc = rc ? rc : isle_rt_preempt(soft.rt, CONTEXT, reasons[test_random(random) % 3]);
        if (rc || !core_next(&soft, 60000, &s) || s.tag != tag)
            return rc ? rc : -ETIME;
        if (s.status == ACCEL_COMPLETION_SUCCESS)
            return left;
        if (s.status != ACCEL_COMPLETION_PREEMPTED || (s.detail != -ERESTART && s.detail != -EAGAIN))
            return s.detail ? s.detail : -EPROTO;
        left += s.detail == -ERESTART;
    }
}

static uint64_t now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

/* Until it has left in its middle at least once, each time over the same bytes; how often it did, or what is wrong. */
static int same_in_stretches(const struct one *o, uint8_t *result, uint8_t *before, uint8_t *expected, uint64_t *random)
{
    struct command k;
    uint64_t bytes = o->bytes[buffers(o) - 1];
    make(&k, o);
    memcpy(before, result, bytes);
    uint64_t begun = now_us();
    int rc = core_run(&soft, CONTEXT, &k, NULL);
    uint64_t us = now_us() - begun + 20;
    memcpy(expected, result, bytes);
    for (int attempt = 0; attempt < ATTEMPTS && !rc; attempt++) {
        memcpy(result, before, bytes);
        rc = run_in_stretches(&k, random, (uint32_t)(us >> attempt % 6) + 1);
        if (rc >= 0 && memcmp(result, expected, bytes))
            rc = -EBADMSG;
    }
    return rc;
}

static int try_one(const struct one *o, const char *way, uint64_t *random)
{
    uint32_t last = buffers(o) - 1;
    uint8_t *at = NULL, *before = malloc(o->bytes[last]), *expected = malloc(o->bytes[last]);
    int rc = begin(way, o->program);
    for (uint32_t b = 0; b <= last && !rc; b++) {
        at = soft_memory(A + b, o->bytes[b]);
        rc = at ? 0 : -ENOMEM;
        if (at)
            put(at, o, b, random);
    }
    rc = rc ? rc : before && expected ? same_in_stretches(o, at, before, expected, random) : -ENOMEM;
    free(before);
    free(expected);
    soft_end();
    return rc;
}

static void results_are_the_same_bits(void)
{
    uint64_t random = 5;
    for (size_t i = 0; i < ONES * WAYS; i++) {
        const struct one *o = &ones[i / WAYS];
        int left = try_one(o, ways[i % WAYS], &random);
        if (left <= 0)
            printf("  %s (%zu), way %zu: %d\n", o->program, i / WAYS, i % WAYS, left);
        CHECK(left > 0);
    }
}

static const struct test tests[] = {TEST(results_are_the_same_bits)};

int main(int argc, char **argv)
{
    return run_tests("resume", tests, sizeof tests / sizeof tests[0], argc, argv);
}
