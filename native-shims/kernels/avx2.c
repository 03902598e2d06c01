#if defined(__x86_64__)
#include <immintrin.h>

#define KERNELS kernels_avx2
#define KERNELS_NAME "avx2"
#define VECTOR_BYTES 32
#define TILE_ROWS 6 /* 12 sums, 2 of B and a copy of an element of A in 16 registers */
#define FLOPS 32
#define TARGET __attribute__((target("avx2,fma")))
#define MULTIPLY_PAIRS(a, b) ((vi)_mm256_madd_epi16((__m256i)(a), (__m256i)(b)))
#include "template.h"
#else
typedef int no_avx2; /* a file is not to be empty */
#endif
