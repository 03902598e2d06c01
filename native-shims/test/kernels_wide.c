/* The kernels in the shape that they have for AVX-512, made of what every CPU has: so that shape is tested where there is none. */
#define KERNELS kernels_wide
#define KERNELS_NAME "wide"
#define VECTOR_BYTES 64
#define TILE_ROWS 12
#define FLOPS 0
#define TARGET
#include "../kernels/template.h"
