/* What programs that compute refuse. */
#include <errno.h>

#include "compute_harness.h"

#define F32 ISLE_ARG_F32
#define MAX UINT32_MAX

/* Buffers of these lengths, these scalars: refused, and nothing is written. */
struct refusal {
    const char *program;
    uint64_t bytes[COMPUTE_BUFFERS];
    uint32_t scalars[6];
};

/* In each group the first line is what the others spoil; it alone is right. */
static const struct refusal refusals[] = {
    {"matmul-f32", {24, 48, 32}, {2, 4, 3}},
    {"matmul-f32", {20, 48, 32}, {2, 4, 3}},
    {"matmul-f32", {24, 47, 32}, {2, 4, 3}},
    {"matmul-f32", {24, 48, 28}, {2, 4, 3}},
    {"matmul-f32", {24, 48, 32}, {0, 4, 3}},
    {"matmul-f32", {24, 48, 32}, {2, 0, 3}},
    {"matmul-f32", {24, 48, 32}, {2, 4, 0}},
    {"matmul-f32", {24, 48, 32}, {1u << 31, 1u << 31, 1}},
    {"matmul-f32", {24, 48, 32}, {1u << 30, 1u << 30, 1u << 30}},
    {"matmul-f32", {24, 48, 32}, {1u << 31, 1, 1u << 31}},
    {"matmul-f32", {24, 48, 32}, {1u << 31, 1u << 31, 1u << 31}},
    {"matmul-f32", {24, 48, 32}, {MAX, MAX, MAX}},
    {"matmul-f32", {24, 48, 32}, {1u << 31, 1, 2}},
    {"matmul-i8", {6, 12, 32}, {2, 4, 3}},
    {"matmul-i8", {5, 12, 32}, {2, 4, 3}},
    {"matmul-i8", {6, 11, 32}, {2, 4, 3}},
    {"matmul-i8", {6, 12, 31}, {2, 4, 3}},
    {"matmul-i8", {6, 12, 32}, {MAX, MAX, MAX}},
    {"matmul-i8", {6, 12, 32}, {1u << 31, 1u << 31, 4}},
    {"convolve-u8", {60, 18, 60}, {5, 4, 3, 3, 3, 9}},
    {"convolve-u8", {59, 18, 60}, {5, 4, 3, 3, 3, 9}},
    {"convolve-u8", {60, 17, 60}, {5, 4, 3, 3, 3, 9}},
    {"convolve-u8", {60, 18, 59}, {5, 4, 3, 3, 3, 9}},
    {"convolve-u8", {60, 18, 60}, {0, 4, 3, 3, 3, 9}},
    {"convolve-u8", {60, 18, 60}, {5, 0, 3, 3, 3, 9}},
    {"convolve-u8", {60, 18, 60}, {5, 4, 0, 3, 3, 9}},
    {"convolve-u8", {60, 18, 60}, {4, 3, 5, 3, 3, 9}},
    {"convolve-u8", {60, 18, 60}, {5, 4, MAX, 3, 3, 9}},
    {"convolve-u8", {60, 18, 60}, {5, 4, 3, 2, 3, 9}},
    {"convolve-u8", {60, 18, 60}, {5, 4, 3, 3, 4, 9}},
    {"convolve-u8", {60, 18, 60}, {5, 4, 3, 0, 3, 9}},
    {"convolve-u8", {60, 3000, 60}, {5, 4, 3, 33, 1, 9}},
    {"convolve-u8", {60, 3000, 60}, {5, 4, 3, 1, 33, 9}},
    {"convolve-u8", {60, 18, 60}, {5, 4, 3, MAX, MAX, 9}},
    {"convolve-u8", {60, 18, 60}, {5, 4, 3, 3, 3, 0}},
    {"convolve-u8", {60, 18, 60}, {5, 4, 3, 3, 3, (1u << 30) + 1}},
    {"convolve-u8", {60, 18, 60}, {1u << 31, 1u << 31, 4, 3, 3, 9}},
    {"convolve-u8", {60, 18, 60}, {MAX, MAX, 4, 3, 3, 9}},
    {"convolve-u8", {60, 18, 60}, {1u << 30, 4, 4, 3, 3, 9}},
    {"convolve-f32", {240, 36, 240}, {5, 4, 3, 3, 3}},
    {"convolve-f32", {239, 36, 240}, {5, 4, 3, 3, 3}},
    {"convolve-f32", {240, 35, 240}, {5, 4, 3, 3, 3}},
    {"convolve-f32", {240, 36, 239}, {5, 4, 3, 3, 3}},
    {"convolve-f32", {240, 36, 240}, {1u << 31, 1u << 31, 1, 3, 3}},
    {"convolve-f32", {240, 36, 240}, {1u << 31, 1u << 31, 4, 3, 3}},
    {"convolve-f32", {240, 36, 240}, {5, 4, 3, 1, 2}},
    {"convolve-f32", {240, 4000, 240}, {5, 4, 3, 33, 3}},
    {"reduce", {40, 8, 0}, {F32, 0}},
    {"reduce", {39, 8, 0}, {F32, 0}},
    {"reduce", {40, 7, 0}, {F32, 0}},
    {"reduce", {44, 8, 0}, {ISLE_ARG_U64, 0}},
    {"reduce", {40, 8, 0}, {ISLE_ARG_F64, 0}},
    {"reduce", {40, 8, 0}, {0, 0}},
    {"reduce", {40, 8, 0}, {MAX, 0}},
    {"reduce", {40, 8, 0}, {F32, MAX}},
    {"sort", {40, 0, 0}, {ISLE_ARG_U32}},
    {"sort", {39, 0, 0}, {ISLE_ARG_U32}},
    {"sort", {44, 0, 0}, {ISLE_ARG_U64}},
    {"sort", {40, 0, 0}, {ISLE_ARG_I64}},
    {"sort", {40, 0, 0}, {ISLE_ARG_BUFFER}},
    {"sort", {40, 0, 0}, {MAX}},
};
#define REFUSALS (sizeof refusals / sizeof refusals[0])

static uint32_t buffers_of(const char *program)
{
    return !strcmp(program, "sort") ? 1 : !strcmp(program, "reduce") ? 2 : 3;
}

static uint32_t scalars_of(const char *program)
{
    return !strcmp(program, "convolve-u8")    ? 6
           : !strcmp(program, "convolve-f32") ? 5
           : !strcmp(program, "reduce")       ? 2
           : !strcmp(program, "sort")         ? 1
                                              : 3;
}

/* Numbers in the order opposite to the sorted one, so that every program would change its last buffer. */
static uint8_t *prepare(const struct refusal *r, bool at_end, uint8_t *was)
{
    uint32_t buffers = buffers_of(r->program);
    uint8_t *last = NULL;
    for (uint32_t i = 0; i < buffers; i++) {
        last = compute_place(i, r->bytes[i], at_end && r->bytes[i] % 8 == 0);
        for (uint64_t e = 0; e < r->bytes[i]; e++)
            last[e] = (uint8_t)(200 - e / 4 * 3);
    }
    if (buffers == 1)
        place[0].access = READ_ | WRITE_;
    memcpy(was, last, r->bytes[buffers - 1]);
    return last;
}

static void shapes_that_do_not_fit_are_refused(void)
{
    const char *open = NULL;
    bool right = false;
    for (size_t i = 0; i < REFUSALS; i++) {
        const struct refusal *r = &refusals[i];
        uint32_t buffers = buffers_of(r->program);
        bool first = !open || strcmp(open, r->program);
        if (first) {
            if (open)
                soft_end();
            CHECK_EQ(0, compute_open("compute_units=2", open = r->program));
        }
        uint8_t was[4096], *last = prepare(r, i & 1, was);
        int rc = compute_run(buffers, r->scalars, scalars_of(r->program));
        bool same = !memcmp(last, was, r->bytes[buffers - 1]);
        right = first ? !rc && !same : rc == -EINVAL && same;
        if (!right)
            printf("  line %zu of the refusals, %s: %d\n", i, r->program, rc);
        CHECK(right);
    }
    soft_end();
}

static void kinds_and_counts_of_arguments_are_checked(void)
{
    static const char *last;
    for (size_t i = 0; i < REFUSALS; i++) {
        const struct refusal *r = &refusals[i];
        if (last && !strcmp(last, r->program))
            continue;
        last = r->program;
        uint32_t buffers = buffers_of(r->program), scalars = scalars_of(r->program);
        uint8_t was[4096];
        struct command k;
        isle_arg args[8];
        CHECK_EQ(0, compute_open(NULL, r->program));
        for (uint32_t spoil = 0; spoil < scalars; spoil++)
            for (uint32_t how = 0; how < 4; how++) {
                uint8_t *out = prepare(r, true, was);
                for (uint32_t s = 0; s < scalars; s++)
                    args[s] = (isle_arg){ISLE_ARG_U32, 0, r->scalars[s]};
                args[spoil].kind = how == 0 ? ISLE_ARG_U64 : how == 1 ? ISLE_ARG_BUFFER : how == 2 ? 99 : ISLE_ARG_U32;
                args[spoil].value |= how == 3 ? 1ull << 32 : 0;
                compute_command(&k, buffers, args, scalars);
                CHECK(core_run(&soft, CONTEXT, &k, NULL) != 0);
                CHECK(!memcmp(out, was, r->bytes[buffers - 1]));
            }
        for (uint32_t s = 0; s < 8; s++)
            args[s] = (isle_arg){ISLE_ARG_U32, 0, 1};
        prepare(r, true, was);
        compute_command(&k, buffers, args, scalars - 1);
        CHECK_EQ(-EINVAL, core_run(&soft, CONTEXT, &k, NULL));
        compute_command(&k, buffers, args, scalars + 1);
        CHECK_EQ(-EINVAL, core_run(&soft, CONTEXT, &k, NULL));
        for (uint32_t s = 0; s < scalars; s++)
            args[s].value = r->scalars[s];
        place[buffers - 1].access = READ_; /* results need a binding that may be written */
        compute_command(&k, buffers, args, scalars);
        CHECK_EQ(-EINVAL, core_run(&soft, CONTEXT, &k, NULL));
        place[buffers - 1].access = WRITE_;
        compute_command(&k, buffers, args, scalars);
        CHECK_EQ(buffers == 1 ? -EINVAL : 0, core_run(&soft, CONTEXT, &k, NULL)); /* what is sorted is read, too */
        soft_end();
    }
    last = NULL;
}

static void crooked_and_shared_buffers_are_refused(void)
{
    static const struct refusal *const right[] = {&refusals[0], &refusals[13], &refusals[19], &refusals[39]};
    uint8_t was[4096];
    for (size_t i = 0; i < 4; i++) {
        const struct refusal *r = right[i];
        uint32_t scalars = scalars_of(r->program);
        CHECK_EQ(0, compute_open(NULL, r->program));
        for (uint32_t b = 0; b < 3; b++) {
            prepare(r, false, was);
            place[b].offset++;
            int rc = compute_run(3, r->scalars, scalars);
            bool bytes = (i == 1 && b < 2) || (i == 2 && b != 1); /* of 8 bits lie anywhere */
            CHECK_EQ(bytes ? 0 : -EINVAL, rc);
        }
        soft_end();
    }
}

/* The result over an input, with all of it or with its last bytes. */
static void results_over_inputs_are_refused(void)
{
    isle_arg args[5];
    struct command k;
    CHECK_EQ(0, compute_open(NULL, "matmul-f32"));
    uint8_t *a = soft_memory(A, 8192);
    CHECK(a);
    for (uint32_t from = 0; from <= 40; from += 4) {
        uint32_t other = from < 32 || from == 40 ? 2000 : 0;
        command_begin(&k);
        args[0] = (isle_arg){ISLE_ARG_BUFFER, command_bind(&k, A, other, 40, READ_), 0};
        args[1] = (isle_arg){ISLE_ARG_BUFFER, command_bind(&k, A, other ? 0 : 2000, 40, READ_), 0};
        args[2] = (isle_arg){ISLE_ARG_BUFFER, command_bind(&k, A, from, 40, WRITE_), 0};
        isle_arg all[6] = {args[0], args[1], args[2], {ISLE_ARG_U32, 0, 3}, {ISLE_ARG_U32, 0, 3}, {ISLE_ARG_U32, 0, 3}};
        command_dispatch(&k, command_bind(&k, PROGRAM, 0, 0, ISLE_ACCESS_PROGRAM), 6, all);
        CHECK_EQ(from < 40 ? -EINVAL : 0, core_run(&soft, CONTEXT, &k, NULL));
    }
    soft_end();
}

static void weights_that_overflow_are_refused(void)
{
    CHECK_EQ(0, compute_open(NULL, "convolve-u8"));
    uint32_t side = 31, scalars[] = {4, 1, 1, side, side, 1};
    uint8_t *in = compute_place(0, 4, true), *out = compute_place(2, 4, true);
    int16_t *w = compute_place(1, 2 * side * side, true);
    memset(in, 255, 4);
    memset(out, 7, 4);
    for (uint32_t i = 0; i < side * side; i++)
        w[i] = i < 128 ? INT16_MIN : 0; /* 2^22 is one too many */
    CHECK_EQ(-EINVAL, compute_run(3, scalars, 6));
    CHECK_EQ(7, out[0]);
    w[0]++;
    CHECK_EQ(0, compute_run(3, scalars, 6));
    CHECK_EQ(0, out[0]);
    for (uint32_t i = 0; i < 128; i++)
        w[i] = INT16_MAX;
    scalars[5] = 1u << 30;
    CHECK_EQ(0, compute_run(3, scalars, 6));
    CHECK_EQ(1, out[0]); /* 255 * 128 * 32767 / 2^30 = 0.996 */
    soft_end();
}

static void unknown_units_are_refused(void)
{
    core_make(&soft);
    CHECK_EQ(0, core_load(&soft, "libsoftaccel.so"));
    CHECK_EQ(-EINVAL, core_open(&soft, "simd=sse9"));
    CHECK_EQ(0, core_open(&soft, "simd=portable"));
    soft_end();
}

static const struct test tests[] = {
    TEST(shapes_that_do_not_fit_are_refused),     TEST(kinds_and_counts_of_arguments_are_checked),
    TEST(crooked_and_shared_buffers_are_refused), TEST(results_over_inputs_are_refused),
    TEST(weights_that_overflow_are_refused),      TEST(unknown_units_are_refused),
};

int main(int argc, char **argv)
{
    return run_tests("compute", tests, sizeof tests / sizeof tests[0], argc, argv);
}
