#include "kernels.h"

const struct kernels *kernels_select(int simd)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
    if (simd == SIMD_AVX512 || (simd == SIMD_AUTO && avx512))
        return avx512 ? &kernels_avx512 : NULL;
    if (simd == SIMD_AVX2 || (simd == SIMD_AUTO && avx2))
        return avx2 ? &kernels_avx2 : NULL;
#endif
    return simd == SIMD_AUTO || simd == SIMD_PORTABLE ? &kernels_portable : NULL;
}
