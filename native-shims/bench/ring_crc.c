/*
 * CRC32C by the processor's instruction, whose result comes three cycles later: so three parts of the data at a time, which are joined by
 * a table of the effect of as many zeros as a part has bytes.
 */
#include "ring.h"

#include <string.h>

#ifdef __x86_64__
#include <nmmintrin.h>

enum { LONG = 1024, SHORT = 128 };

struct zeros {
    uint32_t of[4][256];
};

static struct zeros after_long, after_short;
static bool ready;

__attribute__((target("sse4.2"))) static uint64_t word(uint64_t crc, const uint8_t *at) {
    uint64_t next;
    memcpy(&next, at, sizeof next);
    return _mm_crc32_u64(crc, next);
}

__attribute__((target("sse4.2"))) static void prepare(struct zeros *zeros, size_t bytes) {
    uint64_t bits[32];
    for (int bit = 0; bit < 32; bit++) {
        bits[bit] = 1ull << bit;
        for (size_t i = 0; i < bytes; i += 8) bits[bit] = _mm_crc32_u64(bits[bit], 0);
    }
    for (int byte = 0; byte < 4; byte++)
        for (int value = 0; value < 256; value++) {
            uint32_t all = 0;
            for (int bit = 0; bit < 8; bit++)
                if (value >> bit & 1) all ^= (uint32_t)bits[8 * byte + bit];
            zeros->of[byte][value] = all;
        }
}

static uint32_t shifted(const struct zeros *zeros, uint64_t crc) {
    return zeros->of[0][crc & 255] ^ zeros->of[1][crc >> 8 & 255] ^ zeros->of[2][crc >> 16 & 255] ^ zeros->of[3][crc >> 24 & 255];
}

__attribute__((target("sse4.2"))) static inline uint64_t parts(const struct zeros *zeros, size_t part, uint64_t crc, const uint8_t **data, size_t *bytes) {
    for (; *bytes >= 3 * part; *data += 3 * part, *bytes -= 3 * part) {
        uint64_t second = 0, third = 0;
        for (size_t i = 0; i < part; i += 8) {
            crc = word(crc, *data + i);
            second = word(second, *data + part + i);
            third = word(third, *data + 2 * part + i);
        }
        crc = shifted(zeros, crc) ^ second;
        crc = shifted(zeros, crc) ^ third;
    }
    return crc;
}

__attribute__((target("sse4.2"))) uint32_t ring_crc(const uint8_t *data, size_t bytes) {
    if (!ready) {
        prepare(&after_long, LONG);
        prepare(&after_short, SHORT);
        ready = true;
    }
    uint64_t crc = 0xFFFFFFFF;
    crc = parts(&after_long, LONG, crc, &data, &bytes);
    crc = parts(&after_short, SHORT, crc, &data, &bytes);
    for (; bytes >= 8; data += 8, bytes -= 8) crc = word(crc, data);
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
