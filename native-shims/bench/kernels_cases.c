/* The programs that are measured, what they work on, and whom against. */
#include <string.h>

#include "kernels.h"

const struct bench_case bench_cases[BENCH_CASES] = {
    {"matmul-f32", 8192, true, 3, 3, {4, 4, 4}, F32, F32, 1e-2, {&loop_matmul_f32, &openblas_matmul_f32}},
    {"matmul-i8", 8192, true, 3, 3, {1, 1, 4}, U8, U32, 0, {&loop_matmul_i8}},
    {"convolve-u8", 16384, true, 3, 6, {CHANNELS, 0, CHANNELS}, U8, U8, 1, {&loop_convolve_u8, &magick_convolve_u8}},
    {"convolve-f32", 8192, true, 3, 5, {4 * CHANNELS, 0, 4 * CHANNELS}, F32, F32, 1e-5, {&loop_convolve_f32}},
    {"reduce", 1u << 28, false, 2, 2, {4, 0}, F32, F64, 1e-3, {&loop_reduce}},
    {"sort", 1u << 28, false, 1, 1, {4}, U32, U32, 0, {&qsort_u32}},
};

uint64_t case_bytes(const struct bench_case *c, uint32_t buffer, uint64_t elements)
{
    return c->bytes[buffer] ? elements * c->bytes[buffer] : buffer + 1 == c->buffers ? 8 : SIDE * SIDE * sizeof(float);
}

void case_scalars(const struct bench_case *c, uint32_t width, uint32_t height, uint32_t *scalars)
{
    const uint32_t image[] = {width, height, CHANNELS, SIDE, SIDE, DIVISOR}, product[] = {width, width, width};
    const uint32_t sum[] = {ISLE_ARG_F32, 0}, type[] = {ISLE_ARG_U32};
    const uint32_t *all = c->scalar_count == 1 ? type : c->scalar_count == 2 ? sum : c->scalar_count == 3 ? product : image;
    memcpy(scalars, all, c->scalar_count * sizeof *scalars);
}

/* [1 4 6 4 1] by itself */
static void fill_weights(void *to, bool floats)
{
    static const int16_t line[SIDE] = {1, 4, 6, 4, 1};
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        int16_t weight = (int16_t)(line[i / SIDE] * line[i % SIDE]);
        if (floats)
            ((float *)to)[i] = (float)weight / DIVISOR;
        else
            ((int16_t *)to)[i] = weight;
    }
}

/* The same numbers each time: floats from -1/2 to 1/2, else any bits. */
void case_fill(const struct bench_case *c, uint32_t buffer, void *to, uint64_t bytes)
{
    uint32_t x = 12345, *words = to;
    if (!c->bytes[buffer]) {
        fill_weights(to, c->in == F32);
        return;
    }
    for (uint64_t i = 0; i < bytes / 4; i++) {
        x = x * 1664525u + 1013904223u;
        float f = (float)(x >> 8) / (1 << 24) - 0.5f;
        if (c->in == F32)
            memcpy(&words[i], &f, 4);
        else
            words[i] = x ^ x >> 15;
    }
}
