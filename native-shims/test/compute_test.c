/* What programs that compute refuse: shapes that overflow or do not fit, and arguments of a wrong kind or number. */
#include <errno.h>

#include "compute_harness.h"

#define F32 ISLE_ARG_F32
#define MAX UINT32_MAX

/* In each group the first line is what the others spoil; it alone is right. */
static const struct dispatch refusals[] = {
    {"matmul-f32", {24, 48, 32}, {2, 4, 3}},
    {"matmul-f32", {20, 48, 32}, {2, 4, 3}},
    {"matmul-f32", {24, 47, 32}, {2, 4, 3}},
    {"matmul-f32", {24, 48, 28}, {2, 4, 3}},
    {"matmul-f32", {24, 48, 0}, {2, 4, 3}},
    {"matmul-f32", {0, 0, 0}, {2, 4, 3}},
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
    {"convolve-u8", {0, 0, 0}, {5, 4, 3, 3, 3, 9}},
    {"convolve-u8", {60, 0, 60}, {5, 4, 3, 3, 3, 9}},
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
    {"reduce", {40, 0, 0}, {F32, 0}},
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

static void shapes_that_do_not_fit_are_refused(void)
{
    const char *open = NULL;
    bool right = false;
    for (size_t i = 0; i < REFUSALS; i++) {
        const struct dispatch *r = &refusals[i];
        uint32_t buffers = compute_buffers(r->program);
        bool first = !open || strcmp(open, r->program);
        if (first) {
            if (open)
                soft_end();
            CHECK_EQ(0, compute_open("compute_units=2", open = r->program));
        }
        uint8_t was[4096], *last = compute_prepare(r, i & 1, was);
        int rc = compute_run(buffers, r->scalars, compute_scalars(r->program));
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
    const char *last = NULL;
    for (size_t i = 0; i < REFUSALS; i++) {
        const struct dispatch *r = &refusals[i];
        if (last && !strcmp(last, r->program))
            continue;
        last = r->program;
        uint32_t buffers = compute_buffers(r->program), scalars = compute_scalars(r->program);
        uint8_t was[4096];
        struct command k;
        isle_arg args[8];
        CHECK_EQ(0, compute_open(NULL, r->program));
        for (uint32_t spoil = 0; spoil < scalars; spoil++)
            for (uint32_t how = 0; how < 4; how++) {
                uint8_t *out = compute_prepare(r, true, was);
                for (uint32_t s = 0; s < scalars; s++)
                    args[s] = (isle_arg){ISLE_ARG_U32, 0, r->scalars[s]};
                args[spoil].kind = how == 0 ? ISLE_ARG_U64 : how == 1 ? ISLE_ARG_BUFFER : how == 2 ? 99 : ISLE_ARG_U32;
                args[spoil].value |= how == 3 ? 1ull << 32 : 0;
                compute_command(&k, buffers, args, scalars);
                CHECK_EQ(-EINVAL, core_run(&soft, CONTEXT, &k, NULL));
                CHECK(!memcmp(out, was, r->bytes[buffers - 1]));
            }
        for (uint32_t s = 0; s < 8; s++)
            args[s] = (isle_arg){ISLE_ARG_U32, 0, 1};
        compute_prepare(r, true, was);
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
}

static const struct test tests[] = {TEST(shapes_that_do_not_fit_are_refused), TEST(kinds_and_counts_of_arguments_are_checked)};

int main(int argc, char **argv)
{
    return run_tests("compute", tests, sizeof tests / sizeof tests[0], argc, argv);
}
