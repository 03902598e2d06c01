/* Sums, least and greatest of every type, against plain loops. */
#include <errno.h>
#include <math.h>

#include "compute_harness.h"

enum { SUM, MIN, MAX };

/* around the sizes of pieces (128 KiB) and of the sums that stand side by side (16) */
static const uint32_t counts[] = {1, 2, 15, 16, 17, 1000, 16383, 16384, 16385, 32767, 32768, 32769, 65535, 65536, 65537, 65552, 300001, 524288};
#define COUNTS (sizeof counts / sizeof counts[0])

static int run(uint32_t type, uint32_t operation)
{
    return compute_run(2, (uint32_t[]){type, operation}, 2);
}

static uint64_t whole(uint32_t type, uint32_t operation, const void *v, uint32_t n)
{
    uint64_t sum = 0, least = 0, most = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t x = type == ISLE_ARG_U64   ? ((const uint64_t *)v)[i]
                     : type == ISLE_ARG_U32 ? ((const uint32_t *)v)[i]
                                            : (uint64_t)(int64_t)((const int32_t *)v)[i];
        uint64_t bias = type == ISLE_ARG_I32 ? 1ull << 63 : 0;
        sum += x;
        least = !i || (x ^ bias) < (least ^ bias) ? x : least;
        most = !i || (x ^ bias) > (most ^ bias) ? x : most;
    }
    return operation == SUM ? sum : operation == MIN ? least : most;
}

static void whole_numbers_are_exact(void)
{
    static const uint32_t types[] = {ISLE_ARG_U32, ISLE_ARG_I32, ISLE_ARG_U64};
    for (int way = 0; way < COMPUTE_WAYS; way++) {
        uint64_t state = 31;
        if (!compute_begin(way, "reduce"))
            continue;
        for (uint32_t i = 0; i < COUNTS * 9; i++) {
            uint32_t type = types[i % 3], operation = i / 3 % 3, n = counts[i / 9];
            uint64_t bytes = n * (type == ISLE_ARG_U64 ? 8ull : 4ull);
            uint8_t *in = compute_place(0, bytes, i & 1);
            uint64_t *out = compute_place(1, 8, i & 2);
            for (uint64_t e = 0; e < bytes; e += 4) {
                uint32_t r = (uint32_t)(i % 7 ? test_random(&state) : 0xffffffff);
                memcpy(in + e, &r, 4);
            }
            CHECK_EQ(0, run(type, operation));
            CHECK_EQ(whole(type, operation, in, n), *out);
        }
        soft_end();
    }
}

static void floats_add_up_in_doubles(void)
{
    static uint64_t first[COUNTS];
    bool known = false;
    for (int way = 0; way < COMPUTE_WAYS; way++) {
        uint64_t state = 32;
        if (!compute_begin(way, "reduce"))
            continue;
        for (uint32_t i = 0; i < COUNTS; i++) {
            float *in = compute_place(0, 4ull * counts[i], i & 1);
            double *out = compute_place(1, 8, true), sum = 0, size = 0;
            for (uint32_t e = 0; e < counts[i]; e++) {
                in[e] = compute_float(&state) * (e % 100 ? 1 : 1e6f);
                sum += in[e];
                size += fabs(in[e]);
            }
            CHECK_EQ(0, run(ISLE_ARG_F32, SUM));
            CHECK(fabs(*out - sum) <= 2 * counts[i] * 0x1p-53 * size);
            if (!known)
                memcpy(&first[i], out, 8);
            CHECK(!memcmp(&first[i], out, 8)); /* the same bits, whoever adds up */
        }
        known = true;
        soft_end();
    }
}

static void floats_have_a_least_and_a_greatest(void)
{
    static const float odd[] = {INFINITY, -INFINITY, -0.0f, 0, 1e-45f, -1e-45f};
    for (int way = 0; way < COMPUTE_WAYS; way++) {
        uint64_t state = 33;
        if (!compute_begin(way, "reduce"))
            continue;
        for (uint32_t i = 0; i < COUNTS * 6; i++) {
            uint32_t n = counts[i / 6], at = compute_below(&state, n), operation = i & 1 ? MIN : MAX;
            float *in = compute_place(0, 4ull * n, i & 1), best = 0;
            double *out = compute_place(1, 8, true);
            for (uint32_t e = 0; e < n; e++)
                in[e] = i % 3 ? compute_float(&state) : odd[2 + compute_below(&state, 4)];
            if (i % 3 == 2)
                in[at] = odd[compute_below(&state, 2)];
            for (uint32_t e = 0; e < n; e++) {
                bool less = in[e] < best || (in[e] == best && signbit(in[e]) && !signbit(best));
                best = !e || (less == (operation == MIN) && (in[e] != best || signbit(in[e]) != signbit(best))) ? in[e] : best;
            }
            CHECK_EQ(0, run(ISLE_ARG_F32, operation));
            CHECK(*out == best && !signbit(*out) == !signbit(best));
            in[at] = i & 2 ? NAN : -NAN;
            CHECK_EQ(0, run(ISLE_ARG_F32, operation));
            CHECK(isnan(*out) && !signbit(*out));
            CHECK_EQ(0, run(ISLE_ARG_F32, SUM));
            CHECK(isnan(*out) && !signbit(*out));
        }
        soft_end();
    }
}

static void nothing_adds_up_to_nothing(void)
{
    CHECK_EQ(0, compute_open("compute_units=2", "reduce"));
    compute_place(0, 0, true);
    uint64_t *out = compute_place(1, 8, true);
    for (uint32_t type = ISLE_ARG_U32; type <= ISLE_ARG_F32; type++) {
        *out = 5;
        CHECK_EQ(type == ISLE_ARG_I64 ? -EINVAL : 0, run(type, SUM));
        CHECK_EQ(type == ISLE_ARG_I64 ? 5 : 0, *out);
        CHECK_EQ(-EINVAL, run(type, MIN));
        CHECK_EQ(-EINVAL, run(type, MAX));
        CHECK_EQ(-EINVAL, run(type, 3));
    }
    soft_end();
}

static const struct test tests[] = {TEST(whole_numbers_are_exact), TEST(floats_add_up_in_doubles),
                                    TEST(floats_have_a_least_and_a_greatest), TEST(nothing_adds_up_to_nothing)};

int main(int argc, char **argv)
{
    return run_tests("reduce", tests, sizeof tests / sizeof tests[0], argc, argv);
}
