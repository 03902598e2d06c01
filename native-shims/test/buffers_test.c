/* What programs that compute refuse of buffers and settings: crooked or shared memory, weights that overflow, no memory of their own. */
#include <errno.h>
#include <malloc.h>
#include <sys/resource.h>

#include "compute_harness.h"

static void crooked_buffers_are_refused(void)
{
    static const struct {
        struct dispatch right;
        uint32_t aligned[COMPUTE_BUFFERS];
    } cases[] = {{{"matmul-f32", {24, 48, 32}, {2, 4, 3}}, {4, 4, 4}},
                 {{"matmul-i8", {6, 12, 32}, {2, 4, 3}}, {1, 1, 4}},
                 {{"convolve-u8", {60, 18, 60}, {5, 4, 3, 3, 3, 9}}, {1, 2, 1}},
                 {{"convolve-f32", {240, 36, 240}, {5, 4, 3, 3, 3}}, {4, 4, 4}},
                 {{"reduce", {40, 8}, {ISLE_ARG_F32, 0}}, {4, 8}},
                 {{"sort", {40}, {ISLE_ARG_U32}}, {4}},
                 {{"sort", {40}, {ISLE_ARG_U64}}, {8}}};
    uint8_t was[256];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct dispatch *r = &cases[i].right;
        uint32_t buffers = compute_buffers(r->program);
        CHECK_EQ(0, compute_open(NULL, r->program));
        for (uint32_t b = 0; b < buffers; b++)
            for (uint32_t off = 1; off <= 8; off *= 2) {
                compute_prepare(r, false, was);
                place[b].offset += off;
                int rc = compute_run(buffers, r->scalars, compute_scalars(r->program));
                CHECK_EQ(off % cases[i].aligned[b] ? -EINVAL : 0, rc);
            }
        soft_end();
    }
}

/* The result and an input of 40 bytes each, further and further apart, in either order. */
static void results_over_inputs_are_refused(void)
{
    static const struct {
        const char *program;
        uint32_t scalars[6];
    } cases[] = {{"matmul-f32", {3, 3, 3}}, {"matmul-i8", {3, 3, 3}}, {"convolve-u8", {5, 4, 2, 3, 3, 9}}, {"convolve-f32", {3, 3, 1, 3, 3}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t scalars = compute_scalars(cases[i].program);
        CHECK_EQ(0, compute_open(NULL, cases[i].program));
        CHECK(soft_memory(A, 8192));
        for (uint32_t apart = 0; apart <= 40; apart += 4)
            for (uint32_t how = 0; how < 4; how++) {
                uint32_t input = how & 1, offset[COMPUTE_BUFFERS] = {2000, 2000, how & 2 ? apart : 0};
                isle_arg args[9];
                struct command k;
                offset[input] = how & 2 ? 0 : apart;
                command_begin(&k);
                for (uint32_t b = 0; b < COMPUTE_BUFFERS; b++)
                    args[b] = (isle_arg){ISLE_ARG_BUFFER, command_bind(&k, A, offset[b], 40, b == 2 ? WRITE_ : READ_), 0};
                for (uint32_t n = 0; n < scalars; n++)
                    args[COMPUTE_BUFFERS + n] = (isle_arg){ISLE_ARG_U32, 0, cases[i].scalars[n]};
                command_dispatch(&k, command_bind(&k, PROGRAM, 0, 0, ISLE_ACCESS_PROGRAM), COMPUTE_BUFFERS + scalars, args);
                CHECK_EQ(apart < 40 ? -EINVAL : 0, core_run(&soft, CONTEXT, &k, NULL));
            }
        soft_end();
    }
}

/* The programs that need most for their own copies. */
static void memory_that_is_not_there_is_told(void)
{
#ifndef ISLE_SANITIZED
    static const struct dispatch hungry[] = {{"matmul-f32", {1024, 2u << 20, 8192}, {1, 2048, 256}},
                                            {"sort", {COMPUTE_ROOM, 0, 0}, {ISLE_ARG_U32}}};
    for (size_t i = 0; i < sizeof hungry / sizeof hungry[0]; i++) {
        const struct dispatch *r = &hungry[i];
        uint32_t buffers = compute_buffers(r->program), scalars = compute_scalars(r->program);
        static uint8_t was[COMPUTE_ROOM];
        struct rlimit before, none;
        CHECK_EQ(0, compute_open("compute_units=1", r->program));
        uint8_t *last = compute_prepare(r, true, was);
        CHECK_EQ(0, getrlimit(RLIMIT_DATA, &before));
        none = before;
        none.rlim_cur = 4096;
        CHECK_EQ(0, setrlimit(RLIMIT_DATA, &none));
        int rc = compute_run(buffers, r->scalars, scalars);
        CHECK_EQ(0, setrlimit(RLIMIT_DATA, &before));
        CHECK_EQ(-ENOMEM, rc);
        CHECK(!memcmp(last, was, r->bytes[buffers - 1]));
        CHECK_EQ(0, compute_run(buffers, r->scalars, scalars));
        CHECK(memcmp(last, was, r->bytes[buffers - 1]));
        soft_end();
    }
#endif
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
    TEST(crooked_buffers_are_refused),      TEST(results_over_inputs_are_refused), TEST(memory_that_is_not_there_is_told),
    TEST(weights_that_overflow_are_refused), TEST(unknown_units_are_refused),
};

int main(int argc, char **argv)
{
    mallopt(M_MMAP_THRESHOLD, 1 << 20); /* what was freed goes back, and a limit is felt */
    return run_tests("buffers", tests, sizeof tests / sizeof tests[0], argc, argv);
}
