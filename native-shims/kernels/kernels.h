/*
 * The arithmetic of the software accelerator's programs: no device, no threads, no allocation.
 *
 * There is one set for each vector unit; all of them are the same templates, compiled for it. Integer results are the same in every
 * set; results of floats may differ in their last bits between sets, never within one.
 */
#ifndef ISLE_KERNELS_H
#define ISLE_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Multiplies panels of packed matrices. A panel of A has `rows` rows, one of B `columns` columns; both are padded with zeros to that
 * many, and to a multiple of `pair` steps of depth. Packed elements have `unit` bytes.
 */
struct matmul {
    uint32_t rows, columns, pair, unit, element; /* element: bytes of one of A or B as the caller has it; of C it is 4 */
    /* `ld`: elements from one row to the next */
    void (*pack_a)(void *to, const void *from, uint64_t ld, uint32_t rows, uint32_t depth);
    void (*pack_b)(void *to, const void *from, uint64_t ld, uint32_t depth, uint32_t columns);
    /* the upper left rows x columns of the product; `add`: on top of what is in C */
    void (*tile)(void *c, uint64_t ld, const void *a, const void *b, uint32_t depth, uint32_t rows, uint32_t columns, bool add);
};

#define CONVOLVE_SIDE 31u     /* largest kernel */
#define CONVOLVE_CHANNELS 4u
#define CONVOLVE_WEIGHT_SUM 4194303u     /* of absolute u8 weights; sums and half a divisor stay below 2^31 */
#define CONVOLVE_DIVISOR (1u << 30)
#define CONVOLVE_STRIP 1008u  /* elements of a row at a time; whole pixels for any number of channels */
#define CONVOLVE_ROUNDED 1024u
/* what a line needs before and behind its strip; the last pair reaches one pixel further */
#define CONVOLVE_LINE (CONVOLVE_ROUNDED + CONVOLVE_SIDE * CONVOLVE_CHANNELS)
#define CONVOLVE_WEIGHTS (CONVOLVE_SIDE * (CONVOLVE_SIDE + 1) / 2)

/* One strip of one row of results. */
struct convolve_row {
    const void *const *lines; /* `height` of them, CONVOLVE_LINE long: pairs for u8, floats for f32 */
    const void *weights;      /* in the order in which lines are read: height x steps; pairs for u8 */
    uint32_t height, steps;   /* steps: pairs or weights of a line */
    uint32_t stride;          /* elements from one step to the next */
    uint32_t count;           /* results, at most CONVOLVE_STRIP; `out` has room for CONVOLVE_ROUNDED */
    double half, inverse;     /* of the divisor, u8 only */
};
/* Two 16-bit values as one word, the first in the low half. */
static inline int32_t pair16(int32_t low, int32_t high)
{
    return (int32_t)((uint32_t)(low & 0xffff) | (uint32_t)high << 16);
}

enum { REDUCE_U32, REDUCE_I32, REDUCE_U64, REDUCE_F32, REDUCE_TYPES };
enum { REDUCE_SUM, REDUCE_MIN, REDUCE_MAX, REDUCE_OPS };
/*
 * Partial results: sums are u64 (mod 2^64), i64 or the bits of a double; least and greatest are u64 or i64, of floats a key: i64 in
 * the order of the floats, REDUCE_NAN_MIN or REDUCE_NAN_MAX once there was a NaN. `n` at least 1 for least and greatest.
 */
typedef uint64_t reduce_part(const void *from, uint64_t n);
#define REDUCE_NAN_MIN INT64_MIN
#define REDUCE_NAN_MAX INT64_MAX

struct kernels {
    const char *name;
    uint32_t flops; /* f32 operations of one core and cycle, at best */
    struct matmul matmul_f32, matmul_i8;
    void (*convolve_u8)(uint8_t *out, const struct convolve_row *r);
    void (*convolve_f32)(float *out, const struct convolve_row *r);
    reduce_part *reduce[REDUCE_TYPES][REDUCE_OPS];
};

extern const struct kernels kernels_portable;
#if defined(__x86_64__)
extern const struct kernels kernels_avx2, kernels_avx512;
#endif

enum { SIMD_AUTO, SIMD_PORTABLE, SIMD_AVX2, SIMD_AVX512 };
/* The set for a unit, or the best that this CPU has; NULL when it lacks that one. */
const struct kernels *kernels_select(int simd);

#endif
