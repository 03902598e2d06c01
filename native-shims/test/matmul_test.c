/* Products of matrices against sums in doubles and whole numbers, on every vector unit that this CPU has. */
#include <errno.h>
#include <math.h>

#include "compute_harness.h"

struct shape {
    uint32_t m, n, k;
};
/* around the sizes of tiles, blocks and groups */
static const struct shape shapes[] = {{1, 1, 1},    {1, 1, 300},  {300, 1, 1},   {1, 300, 1},  {6, 16, 256},  {7, 17, 257}, {12, 32, 2},
                                      {13, 33, 3},  {96, 16, 8},  {97, 15, 511}, {5, 2049, 3}, {2, 513, 513}, {200, 5, 40}, {96, 520, 512},
                                      {193, 65, 40}};
#define SHAPES (sizeof shapes / sizeof shapes[0])

static struct shape shape_of(uint32_t i, uint64_t *state)
{
    return i < SHAPES ? shapes[i] : (struct shape){1 + compute_below(state, 70), 1 + compute_below(state, 70), 1 + compute_below(state, 90)};
}

static int run(struct shape s)
{
    return compute_run(3, (uint32_t[]){s.m, s.n, s.k}, 3);
}

/* Each within k * 2^-24 of the sum of the absolute products, and a little for the rounding of the last step. */
static bool right_f32(const float *a, const float *b, const float *c, struct shape s)
{
    for (uint32_t i = 0; i < s.m; i++)
        for (uint32_t j = 0; j < s.n; j++) {
            double sum = 0, size = 0;
            for (uint32_t k = 0; k < s.k; k++) {
                double p = (double)a[(size_t)i * s.k + k] * b[(size_t)k * s.n + j];
                sum += p;
                size += fabs(p);
            }
            float got = c[(size_t)i * s.n + j];
            if (isnan(sum) ? !isnan(got) : isinf(sum) ? got != sum : !(fabs(got - sum) <= (s.k + 1) * 0x1p-24 * size + 1e-44)) {
                printf("  %u x %u x %u at %u, %u: %g is not %g\n", s.m, s.n, s.k, i, j, got, sum);
                return false;
            }
        }
    return true;
}

static void f32_is_near_the_sum(void)
{
    for (int way = 0; way < COMPUTE_WAYS; way++) {
        uint64_t state = 11;
        if (!compute_begin(way, "matmul-f32"))
            continue;
        for (uint32_t i = 0; i < SHAPES + 60; i++) {
            struct shape s = shape_of(i, &state);
            float *a = compute_place(0, 4ull * s.m * s.k, i & 1), *b = compute_place(1, 4ull * s.k * s.n, i & 2);
            float *c = compute_place(2, 4ull * s.m * s.n, i & 4);
            for (uint32_t e = 0; e < s.m * s.k; e++)
                a[e] = compute_float(&state);
            for (uint32_t e = 0; e < s.k * s.n; e++)
                b[e] = compute_float(&state);
            for (uint32_t e = 0; e < s.m * s.n; e++)
                c[e] = NAN; /* what was there before does not matter */
            CHECK_EQ(0, run(s));
            CHECK(right_f32(a, b, c, s));
        }
        soft_end();
    }
}

static void f32_keeps_what_is_not_finite(void)
{
    static const float odd[] = {INFINITY, -INFINITY, NAN, 0, -0.0f, 1e-45f, 1, -1};
    for (int way = 0; way < COMPUTE_WAYS; way++) {
        uint64_t state = 12;
        if (!compute_begin(way, "matmul-f32"))
            continue;
        for (uint32_t i = 0; i < 40; i++) {
            struct shape s = {1 + compute_below(&state, 20), 1 + compute_below(&state, 40), 1 + compute_below(&state, 8)};
            float *a = compute_place(0, 4ull * s.m * s.k, true), *b = compute_place(1, 4ull * s.k * s.n, true);
            float *c = compute_place(2, 4ull * s.m * s.n, true);
            for (uint32_t e = 0; e < s.m * s.k; e++)
                a[e] = compute_below(&state, 8) ? compute_float(&state) : odd[compute_below(&state, 8)];
            for (uint32_t e = 0; e < s.k * s.n; e++)
                b[e] = compute_below(&state, 8) ? compute_float(&state) : odd[compute_below(&state, 8)];
            CHECK_EQ(0, run(s));
            CHECK(right_f32(a, b, c, s));
        }
        soft_end();
    }
}

/* A sum is made in the same order, however the work is shared. */
static void f32_does_not_depend_on_units(void)
{
    static const char *const units[] = {"compute_units=1", "compute_units=2", "compute_units=5"};
    static float first[100 * 700];
    struct shape s = {100, 700, 600};
    for (int u = 0; u < 3; u++) {
        uint64_t state = 13;
        CHECK_EQ(0, compute_open(units[u], "matmul-f32"));
        float *a = compute_place(0, 4ull * s.m * s.k, true), *b = compute_place(1, 4ull * s.k * s.n, true);
        float *c = compute_place(2, sizeof first, true);
        for (uint32_t e = 0; e < s.m * s.k; e++)
            a[e] = compute_float(&state);
        for (uint32_t e = 0; e < s.k * s.n; e++)
            b[e] = compute_float(&state);
        CHECK_EQ(0, run(s));
        if (!u)
            memcpy(first, c, sizeof first);
        CHECK(!memcmp(first, c, sizeof first));
        soft_end();
    }
}

static bool right_i8(const int8_t *a, const int8_t *b, const int32_t *c, struct shape s)
{
    for (uint32_t i = 0; i < s.m; i++)
        for (uint32_t j = 0; j < s.n; j++) {
            uint32_t sum = 0;
            for (uint32_t k = 0; k < s.k; k++)
                sum += (uint32_t)(a[(size_t)i * s.k + k] * b[(size_t)k * s.n + j]);
            if ((uint32_t)c[(size_t)i * s.n + j] != sum) {
                printf("  %u x %u x %u at %u, %u: %d is not %d\n", s.m, s.n, s.k, i, j, c[(size_t)i * s.n + j], (int32_t)sum);
                return false;
            }
        }
    return true;
}

static void i8_is_exact(void)
{
    for (int way = 0; way < COMPUTE_WAYS; way++) {
        uint64_t state = 14;
        if (!compute_begin(way, "matmul-i8"))
            continue;
        for (uint32_t i = 0; i < SHAPES + 60; i++) {
            struct shape s = shape_of(i, &state);
            int8_t *a = compute_place(0, (uint64_t)s.m * s.k, i & 1), *b = compute_place(1, (uint64_t)s.k * s.n, i & 2);
            int32_t *c = compute_place(2, 4ull * s.m * s.n, i & 4);
            for (uint32_t e = 0; e < s.m * s.k; e++)
                a[e] = (int8_t)(i % 3 ? test_random(&state) : 0x80);
            for (uint32_t e = 0; e < s.k * s.n; e++)
                b[e] = (int8_t)(i % 3 ? test_random(&state) : 0x80);
            CHECK_EQ(0, run(s));
            CHECK(right_i8(a, b, c, s));
        }
        soft_end();
    }
}

/* 2^31 is one more than fits, and comes out as its low 32 bits. */
static void i8_wraps_past_the_end(void)
{
    for (int way = 0; way < COMPUTE_WAYS; way++) {
        struct shape s = {2, 3, 131072};
        if (!compute_begin(way, "matmul-i8"))
            continue;
        int8_t *a = compute_place(0, 2 * 131072, true), *b = compute_place(1, 3 * 131072, true);
        int32_t *c = compute_place(2, 4 * 6, true);
        memset(a, 0x80, 2 * 131072);
        memset(b, 0x80, 3 * 131072);
        CHECK_EQ(0, run(s));
        CHECK(right_i8(a, b, c, s) && c[0] == INT32_MIN);
        s.k = 131071;
        CHECK_EQ(0, run(s));
        CHECK(c[0] == 131071 * 16384);
        soft_end();
    }
}

static const struct test tests[] = {
    TEST(f32_is_near_the_sum), TEST(f32_keeps_what_is_not_finite), TEST(f32_does_not_depend_on_units),
    TEST(i8_is_exact),         TEST(i8_wraps_past_the_end),
};

int main(int argc, char **argv)
{
    return run_tests("matmul", tests, sizeof tests / sizeof tests[0], argc, argv);
}
