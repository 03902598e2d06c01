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

#define TARGET __attribute__((target("sha,sse4.1,ssse3")))
#define INLINE TARGET static inline __attribute__((always_inline))

/* The state as the instructions want it, and the last sixteen message words, oldest first. */
struct lane {
    __m128i abef, cdgh, w[4];
};

INLINE void lane_open(struct lane *l, const uint32_t state[8])
{
    __m128i lo = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)&state[0]), 0xb1);
    __m128i hi = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)&state[4]), 0x1b);
    l->abef = _mm_alignr_epi8(lo, hi, 8);
    l->cdgh = _mm_blend_epi16(hi, lo, 0xf0);
}

INLINE void lane_close(const struct lane *l, uint32_t state[8])
{
    __m128i lo = _mm_shuffle_epi32(l->abef, 0x1b);
    __m128i hi = _mm_shuffle_epi32(l->cdgh, 0xb1);
    _mm_storeu_si128((__m128i *)&state[0], _mm_blend_epi16(lo, hi, 0xf0));
    _mm_storeu_si128((__m128i *)&state[4], _mm_alignr_epi8(hi, lo, 8));
}

INLINE void lane_load(struct lane *l, const uint8_t *data)
{
    const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    for (int i = 0; i < 4; i++)
        l->w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(data + 16 * i)), swap);
}

/* The next four message words in place of the oldest; k counts groups of four rounds. */
INLINE void lane_schedule(struct lane *l, int k)
{
    __m128i *a = &l->w[k & 3], b = l->w[(k + 1) & 3], c = l->w[(k + 2) & 3], d = l->w[(k + 3) & 3];
    *a = _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(*a, b), _mm_alignr_epi8(d, c, 4)), d);
}

INLINE void lane_rounds(struct lane *l, int k)
{
    __m128i t = _mm_add_epi32(l->w[k & 3], _mm_loadu_si128((const __m128i *)&sha256_constants[4 * k]));
    l->cdgh = _mm_sha256rnds2_epu32(l->cdgh, l->abef, t);
    l->abef = _mm_sha256rnds2_epu32(l->abef, l->cdgh, _mm_shuffle_epi32(t, 0x0e));
}

TARGET static void compress_one(uint32_t state[8], const uint8_t *data, uint64_t blocks)
{
    struct lane l;
    lane_open(&l, state);
    for (; blocks; blocks--, data += 64) {
        __m128i abef = l.abef, cdgh = l.cdgh;
        lane_load(&l, data);
#pragma GCC unroll 16
        for (int k = 0; k < 16; k++) {
            if (k >= 4)
                lane_schedule(&l, k);
            lane_rounds(&l, k);
        }
        l.abef = _mm_add_epi32(l.abef, abef);
        l.cdgh = _mm_add_epi32(l.cdgh, cdgh);
    }
    lane_close(&l, state);
}

TARGET static void compress_two(uint32_t a[8], const uint8_t *data_a, uint32_t b[8], const uint8_t *data_b, uint64_t blocks)
{
    struct lane l, m;
    lane_open(&l, a);
    lane_open(&m, b);
    for (; blocks; blocks--, data_a += 64, data_b += 64) {
        __m128i abef = l.abef, cdgh = l.cdgh, abef_m = m.abef, cdgh_m = m.cdgh;
        lane_load(&l, data_a);
        lane_load(&m, data_b);
#pragma GCC unroll 16
        for (int k = 0; k < 16; k++) {
            if (k >= 4) {
                lane_schedule(&l, k);
                lane_schedule(&m, k);
            }
            lane_rounds(&l, k);
            lane_rounds(&m, k);
        }
        l.abef = _mm_add_epi32(l.abef, abef);
        l.cdgh = _mm_add_epi32(l.cdgh, cdgh);
        m.abef = _mm_add_epi32(m.abef, abef_m);
        m.cdgh = _mm_add_epi32(m.cdgh, cdgh_m);
    }
    lane_close(&l, a);
    lane_close(&m, b);
}

sha256_compress *sha256_hardware(void)
{
    return cpu_has_sha() ? compress_one : NULL;
}

sha256_compress_pair *sha256_hardware_pair(void)
{
    return cpu_has_sha() ? compress_two : NULL;
}
#else
sha256_compress *sha256_hardware(void)
{
    return NULL;
}

sha256_compress_pair *sha256_hardware_pair(void)
{
    return NULL;
}
#endif
