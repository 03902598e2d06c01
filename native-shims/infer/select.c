#include "infer.h"

#include <stddef.h>

infer_function *isle_infer_select(int unit)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    int vnni = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx512vnni");
    if (unit == INFER_AVX512 || (unit == INFER_AUTO && vnni))
        return vnni ? infer_avx512 : NULL;
#endif
    return unit == INFER_AUTO || unit == INFER_PORTABLE ? infer_portable : NULL;
}
