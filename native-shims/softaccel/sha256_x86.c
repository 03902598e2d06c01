/* The compression function in the SHA extensions of x86: sha256rnds2 does two rounds, sha256msg1/msg2 the message schedule. */
#include "sha256.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <cpuid.h>
#include <immintrin.h>
#include <stdbool.h>

static bool cpu_has_sha(void)
{
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_SSE4_1) || !(c & bit_SSSE3))
        return false;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA);
}

/* Four rounds with message words `w`; the state lives as ABEF and CDGH. */
#define ROUNDS(w, k)                                                                               \
    do {                                                                                           \
        __m128i t = _mm_add_epi32(w, _mm_loadu_si128((const __m128i *)&sha256_constants[4 * (k)])); \
        cdgh = _mm_sha256rnds2_epu32(cdgh, abef, t);                                               \
        abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(t, 0x0e));                      \
    } while (0)

/* The next four message words, from the last sixteen: a (oldest) to d. */
#define SCHEDULE(a, b, c, d) \
    (a) = _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(a, b), _mm_alignr_epi8(d, c, 4)), d)

__attribute__((target("sha,sse4.1,ssse3"))) static void compress_ni(uint32_t state[8], const uint8_t *data, uint64_t blocks)
{
    const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    __m128i lo = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)&state[0]), 0xb1);
    __m128i hi = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)&state[4]), 0x1b);
    __m128i abef = _mm_alignr_epi8(lo, hi, 8);
    __m128i cdgh = _mm_blend_epi16(hi, lo, 0xf0);
    for (; blocks; blocks--, data += 64) {
        __m128i abef_before = abef, cdgh_before = cdgh;
        __m128i w0 = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)data), swap);
        __m128i w1 = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(data + 16)), swap);
        __m128i w2 = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(data + 32)), swap);
        __m128i w3 = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(data + 48)), swap);
        ROUNDS(w0, 0);
        ROUNDS(w1, 1);
        ROUNDS(w2, 2);
        ROUNDS(w3, 3);
#pragma GCC unroll 3
        for (int k = 4; k < 16; k += 4) {
            SCHEDULE(w0, w1, w2, w3);
            ROUNDS(w0, k);
            SCHEDULE(w1, w2, w3, w0);
            ROUNDS(w1, k + 1);
            SCHEDULE(w2, w3, w0, w1);
            ROUNDS(w2, k + 2);
            SCHEDULE(w3, w0, w1, w2);
            ROUNDS(w3, k + 3);
        }
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }
    lo = _mm_shuffle_epi32(abef, 0x1b);
    hi = _mm_shuffle_epi32(cdgh, 0xb1);
    _mm_storeu_si128((__m128i *)&state[0], _mm_blend_epi16(lo, hi, 0xf0));
    _mm_storeu_si128((__m128i *)&state[4], _mm_alignr_epi8(hi, lo, 8));
}

sha256_compress *sha256_hardware(void)
{
    return cpu_has_sha() ? compress_ni : NULL;
}
#else
sha256_compress *sha256_hardware(void)
{
    return NULL;
}
#endif
