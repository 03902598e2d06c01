#if defined(__x86_64__)
#include <immintrin.h>

#define KERNELS kernels_avx512
#define KERNELS_NAME "avx512"
#define VECTOR_BYTES 64
#define TILE_ROWS 12 /* 24 sums of 32 registers; elements of A come from memory */
#define FLOPS 64
#if defined(__clang__)
#define WIDE_LOOPS /* a word of GCC's, for loops that it turns into vectors by itself */
#else
#define WIDE_LOOPS ",prefer-vector-width=512"
#endif
#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx2,fma" WIDE_LOOPS)))
#define MULTIPLY_PAIRS(a, b) ((vi)_mm512_madd_epi16((__m512i)(a), (__m512i)(b)))
#include "template.h"
#else
typedef int no_avx512; /* a file is not to be empty */
#endif
