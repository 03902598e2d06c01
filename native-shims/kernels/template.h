/*
 * One set of kernels. The file that includes this says for what: KERNELS (the set), KERNELS_NAME, VECTOR_BYTES, TILE_ROWS, FLOPS,
 * TARGET (function attribute), and MULTIPLY_PAIRS(a, b) where the unit can multiply pairs of 16-bit values and add them.
 */
#include <string.h>

#include "kernels.h"

#define LANES (VECTOR_BYTES / 4)
typedef float vf __attribute__((vector_size(VECTOR_BYTES), aligned(4), may_alias));
typedef int32_t vi __attribute__((vector_size(VECTOR_BYTES), aligned(4), may_alias));
typedef uint32_t vu __attribute__((vector_size(VECTOR_BYTES), aligned(4), may_alias));
#define LOAD(type, p) (*(const type *)(const void *)(p))
#define STORE(type, p) (*(type *)(void *)(p))
#define INLINE TARGET static inline __attribute__((always_inline))

/* In unsigned arithmetic, as a sum may pass over the end. */
#define ADD(a, b) ((vi)((vu)(a) + (vu)(b)))
#ifndef MULTIPLY_PAIRS
#define LOW(v) ((vi)((vu)(v) << 16) >> 16)
#define MULTIPLY_PAIRS(a, b) ADD(LOW(a) * LOW(b), ((a) >> 16) * ((b) >> 16))
#endif

#include "matmul_template.h"
#include "convolve_template.h"
#include "reduce_template.h"

const struct kernels KERNELS = {
    .name = KERNELS_NAME,
    .flops = FLOPS,
    .matmul_f32 = {.rows = TILE_ROWS,
                   .columns = TILE_COLUMNS,
                   .pair = 1,
                   .unit = 4,
                   .element = 4,
                   .pack_a = pack_a_f32,
                   .pack_b = pack_b_f32,
                   .tile = tile_f32},
    .matmul_i8 = {.rows = TILE_ROWS,
                  .columns = TILE_COLUMNS,
                  .pair = 2,
                  .unit = 2,
                  .element = 1,
                  .pack_a = pack_a_i8,
                  .pack_b = pack_b_i8,
                  .tile = tile_i8},
    .convolve_u8 = convolve_u8,
    .convolve_f32 = convolve_f32,
    .reduce = {[REDUCE_U32] = {sum_u32, min_u32, max_u32},
               [REDUCE_I32] = {sum_i32, min_i32, max_i32},
               [REDUCE_U64] = {sum_u64, min_u64, max_u64},
               [REDUCE_F32] = {sum_f32, min_f32, max_f32}},
};
