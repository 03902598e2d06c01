/* For any CPU: vectors of 16 bytes, which a compiler turns into what there is. */
#define KERNELS kernels_portable
#define KERNELS_NAME "portable"
#define VECTOR_BYTES 16
#define TILE_ROWS 6
#define FLOPS 16
#define TARGET
#if defined(__SSE2__)
#include <emmintrin.h>
#define MULTIPLY_PAIRS(a, b) ((vi)_mm_madd_epi16((__m128i)(a), (__m128i)(b)))
#endif
#include "template.h"
