/*
 * CRC32C at the speed of a JVM: with AVX-512, sixteen parts of 16 bytes are folded at a time by multiplications without carries; the rest,
 * and all without AVX-512, goes by the processor's instruction for eight bytes.
 */
#include "ring.h"

#include <string.h>

#ifdef __x86_64__
#include <immintrin.h>

enum { POLYNOMIAL = 0x1EDC6F41, BLOCK = 256 };

static uint64_t factor_block[2], factor_vector[2], factor_lane[2];

/* x to the power of n, modulo the polynomial, with its bits reversed, as the multiplication needs it. */
static uint64_t power(int n) {
    uint32_t value = 1, reversed = 0;
    for (int i = 0; i < n; i++) value = value << 1 ^ (value >> 31 ? POLYNOMIAL : 0);
    for (int i = 0; i < 32; i++) reversed |= (value >> i & 1) << (31 - i);
    return (uint64_t)reversed << 1;
}

static void prepare(uint64_t factor[2], int bits) {
    factor[0] = power(bits + 32);
    factor[1] = power(bits - 32);
}

#define WIDE __attribute__((target("avx512f,avx512vl,vpclmulqdq,pclmul,sse4.2")))

WIDE static __m512i folded(__m512i sum, __m512i factor, __m512i next) {
    __m512i low = _mm512_clmulepi64_epi128(sum, factor, 0x00), high = _mm512_clmulepi64_epi128(sum, factor, 0x11);
    return _mm512_ternarylogic_epi64(low, high, next, 0x96);
}

WIDE static __m512i everywhere(const uint64_t factor[2]) {
    return _mm512_set_epi64((long long)factor[1], (long long)factor[0], (long long)factor[1], (long long)factor[0], (long long)factor[1],
                            (long long)factor[0], (long long)factor[1], (long long)factor[0]);
}

/* Takes whole blocks, at least one. */
WIDE static uint32_t blocks(uint32_t crc, const uint8_t **data, size_t *bytes) {
    __m512i sum[4], factor = everywhere(factor_block);
    for (int i = 0; i < 4; i++) sum[i] = _mm512_loadu_si512(*data + 64 * i);
    sum[0] = _mm512_xor_si512(sum[0], _mm512_zextsi128_si512(_mm_cvtsi32_si128((int)crc)));
    for (*data += BLOCK, *bytes -= BLOCK; *bytes >= BLOCK; *data += BLOCK, *bytes -= BLOCK)
        for (int i = 0; i < 4; i++) sum[i] = folded(sum[i], factor, _mm512_loadu_si512(*data + 64 * i));
    factor = everywhere(factor_vector);
    for (int i = 1; i < 4; i++) sum[i] = folded(sum[i - 1], factor, sum[i]);
    uint64_t words[8];
    _mm512_storeu_si512(words, sum[3]);
    __m128i one = _mm_set_epi64x((long long)words[1], (long long)words[0]);
    __m128i by = _mm_set_epi64x((long long)factor_lane[1], (long long)factor_lane[0]);
    for (int i = 1; i < 4; i++) {
        __m128i next = _mm_set_epi64x((long long)words[2 * i + 1], (long long)words[2 * i]);
        one = _mm_xor_si128(_mm_xor_si128(_mm_clmulepi64_si128(one, by, 0x00), _mm_clmulepi64_si128(one, by, 0x11)), next);
    }
    uint64_t half = _mm_crc32_u64(0, (uint64_t)_mm_extract_epi64(one, 0));
    return (uint32_t)_mm_crc32_u64(half, (uint64_t)_mm_extract_epi64(one, 1));
}

static bool wide(void) {
    static int known; /* 1 yes, -1 no */
    if (known == 0) {
        known = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("vpclmulqdq") ? 1 : -1;
        prepare(factor_block, 8 * BLOCK);
        prepare(factor_vector, 512);
        prepare(factor_lane, 128);
    }
    return known == 1;
}

__attribute__((target("sse4.2"))) uint32_t ring_crc(const uint8_t *data, size_t bytes) {
    uint64_t crc = 0xFFFFFFFF;
    if (bytes >= 2 * BLOCK && wide()) crc = blocks((uint32_t)crc, &data, &bytes);
    for (uint64_t next; bytes >= 8; data += 8, bytes -= 8) {
        memcpy(&next, data, sizeof next);
        crc = _mm_crc32_u64(crc, next);
    }
    for (; bytes > 0; data++, bytes--) crc = _mm_crc32_u8((uint32_t)crc, *data);
    return ~(uint32_t)crc;
}

#else

/* Bit by bit: correct on any processor, and slow. */
uint32_t ring_crc(const uint8_t *data, size_t bytes) {
    uint32_t crc = ~0u;
    for (; bytes > 0; data++, bytes--) {
        crc ^= *data;
        for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0x82F63B78 : 0);
    }
    return ~crc;
}

#endif
