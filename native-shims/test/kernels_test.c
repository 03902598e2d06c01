/* Every set of kernels computes what the portable one does, the shape of AVX-512 included where the CPU has none. */
#include <math.h>
#include <stdlib.h>

#include "../kernels/kernels.h"
#include "harness.h"

extern const struct kernels kernels_wide;

/* The i-th set to be tested, or NULL past the last; sets that this CPU cannot run are left out. */
static const struct kernels *set(int i)
{
    static const struct kernels *sets[4];
    int n = 0;
    sets[n++] = &kernels_wide;
    for (int simd = SIMD_AVX2; simd <= SIMD_AVX512; simd++)
        if (kernels_select(simd))
            sets[n++] = kernels_select(simd);
    return i < n ? sets[i] : NULL;
}

static void auto_is_the_widest(void)
{
    const struct kernels *best = kernels_select(SIMD_AUTO);
    CHECK(best && kernels_select(SIMD_PORTABLE) == &kernels_portable);
    for (int simd = SIMD_AVX2; simd <= SIMD_AVX512; simd++)
        CHECK(!kernels_select(simd) || kernels_select(simd)->flops <= best->flops);
    CHECK(!kernels_select(99));
}

#define DEPTH 37u
#define SIDE 40u

/* One tile of `rows` x `columns`, on top of what is there or not; `c` has SIDE columns. */
static void one_tile(const struct matmul *m, void *c, const void *a, const void *b, uint32_t rows, uint32_t columns, bool add)
{
    _Alignas(64) uint8_t pa[16 * (DEPTH + 1) * 4], pb[SIDE * (DEPTH + 1) * 4];
    m->pack_a(pa, a, DEPTH, rows, DEPTH);
    m->pack_b(pb, b, SIDE, DEPTH, columns);
    m->tile(c, SIDE, pa, pb, DEPTH, rows, columns, add);
}

static void tiles_multiply(void)
{
    static float a[16 * DEPTH], b[DEPTH * SIDE], c[16 * SIDE];
    static int8_t ai[16 * DEPTH], bi[DEPTH * SIDE];
    static int32_t ci[16 * SIDE];
    uint64_t state = 51;
    for (uint32_t i = 0; i < 16 * DEPTH; i++)
        a[i] = ai[i] = (int8_t)test_random(&state);
    for (uint32_t i = 0; i < DEPTH * SIDE; i++)
        b[i] = bi[i] = (int8_t)test_random(&state);
    for (int s = 0; set(s); s++)
        for (uint32_t rows = 1; rows <= set(s)->matmul_f32.rows; rows++)
            for (uint32_t columns = 1; columns <= set(s)->matmul_f32.columns; columns++)
                for (int add = 0; add < 2; add++) {
                    for (uint32_t i = 0; i < 16 * SIDE; i++)
                        c[i] = ci[i] = 1000;
                    one_tile(&set(s)->matmul_f32, c, a, b, rows, columns, add);
                    one_tile(&set(s)->matmul_i8, ci, ai, bi, rows, columns, add);
                    for (uint32_t i = 0; i < 16 * SIDE; i++) {
                        int32_t want = 1000, in = i / SIDE < rows && i % SIDE < columns;
                        want = in && !add ? 0 : want;
                        for (uint32_t k = 0; in && k < DEPTH; k++)
                            want += ai[i / SIDE * DEPTH + k] * bi[k * SIDE + i % SIDE];
                        CHECK_EQ(want, ci[i]);
                        CHECK(c[i] == (float)want); /* small whole numbers: exact in floats, too */
                    }
                }
}

static void rows_convolve(void)
{
    static union {
        int32_t pairs[CONVOLVE_LINE];
        float floats[CONVOLVE_LINE];
    } lines[5];
    static uint8_t want[CONVOLVE_ROUNDED], got[CONVOLVE_ROUNDED];
    static float want_f[CONVOLVE_ROUNDED], got_f[CONVOLVE_ROUNDED];
    const void *order[] = {&lines[3], &lines[4], &lines[0], &lines[1], &lines[2]};
    int32_t pairs[15];
    float weights[15];
    uint64_t state = 52;
    for (uint32_t i = 0; i < 15; i++) {
        pairs[i] = pair16((int32_t)(test_random(&state) % 100) - 30, (int32_t)(test_random(&state) % 100) - 30);
        weights[i] = (float)(test_random(&state) % 100);
    }
    for (uint32_t count = 1; count <= CONVOLVE_STRIP; count += 53) {
        struct convolve_row r = {.lines = order, .height = 5, .steps = 3, .stride = 6, .count = count, .half = 36, .inverse = 1.0 / 73};
        for (uint32_t i = 0; i < 5 * CONVOLVE_LINE; i++)
            lines[i / CONVOLVE_LINE].pairs[i % CONVOLVE_LINE] = pair16((uint8_t)test_random(&state), (uint8_t)test_random(&state));
        for (int s = 0; set(s); s++) {
            r.weights = pairs;
            kernels_portable.convolve_u8(want, &r);
            set(s)->convolve_u8(got, &r);
            CHECK(!memcmp(want, got, count));
        }
        for (uint32_t i = 0; i < 5 * CONVOLVE_LINE; i++)
            lines[i / CONVOLVE_LINE].floats[i % CONVOLVE_LINE] = (float)(test_random(&state) % 1000);
        for (int s = 0; set(s); s++) {
            r.weights = weights;
            kernels_portable.convolve_f32(want_f, &r);
            set(s)->convolve_f32(got_f, &r);
            CHECK(!memcmp(want_f, got_f, count * sizeof(float)));
        }
    }
}

static void reductions_are_the_same_bits(void)
{
    static uint64_t words[1000];
    uint64_t state = 53;
    for (uint32_t i = 0; i < 1000; i++)
        words[i] = test_random(&state);
    for (uint32_t n = 1; n < 1000; n += n < 70 ? 1 : 61)
        for (int s = 0; set(s); s++)
            for (int t = 0; t < REDUCE_TYPES; t++)
                for (int op = 0; op < REDUCE_OPS; op++) {
                    if (t == REDUCE_F32)
                        for (uint32_t i = 0; i < n; i++)
                            ((float *)words)[i] = (float)(int32_t)test_random(&state);
                    CHECK_EQ(kernels_portable.reduce[t][op](words, n), set(s)->reduce[t][op](words, n));
                }
}

static const struct test tests[] = {TEST(auto_is_the_widest), TEST(tiles_multiply), TEST(rows_convolve), TEST(reductions_are_the_same_bits)};

int main(int argc, char **argv)
{
    return run_tests("kernels", tests, sizeof tests / sizeof tests[0], argc, argv);
}
