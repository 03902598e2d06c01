#include "infer.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni,avx2")))
#define INLINE TARGET static inline __attribute__((always_inline))
#define NET_FUNCTION infer_avx512
#define STEP (INFER_PAIR * INFER_LANES)

INLINE void quantize(const struct infer_net *net, struct infer_run *run)
{
    const int32_t *offsets = (const int32_t *)(net + 1);
    const int32_t *shifts = offsets + net->rounded;
    int32_t features = net->rounded;
    for (int32_t i = 0; i < features; i += 8) {
        __m512i value = _mm512_cvtepi32_epi64(_mm256_loadu_si256((const __m256i *)(run->input + i)));
        __m512i offset = _mm512_cvtepi32_epi64(_mm256_loadu_si256((const __m256i *)(offsets + i)));
        __m512i shift = _mm512_cvtepi32_epi64(_mm256_loadu_si256((const __m256i *)(shifts + i)));
        __m128i bytes = _mm512_cvtsepi64_epi8(_mm512_srav_epi64(_mm512_sub_epi64(value, offset), shift));
        _mm_storel_epi64((__m128i *)(run->activations[0] + i), _mm_xor_si128(bytes, _mm_set1_epi8(-128)));
    }
}

INLINE __m512i four_inputs(const uint8_t *in)
{
    int32_t four;
    __builtin_memcpy(&four, in, sizeof four);
    return _mm512_set1_epi32(four);
}

/*
 * Weights lie anywhere, and a load across two lines of the cache costs twice. So whole lines are read, which begin `turn` lanes before
 * the weights: all sums are turned by as many lanes. The first block of a group has the last neurons of the group before in front.
 *
 * `split`: sums of a block at a time, so that one addition does not wait for the one before.
 */
struct tile {
    __m512i sum[INFER_TILE];
    __mmask16 front; /* lanes of a line that are before the weights */
};

INLINE void add_group(struct tile *t, __m512i inputs, __m512i before, const int8_t *line, const uint32_t blocks, const uint32_t at)
{
    __m512i first = _mm512_mask_blend_epi32(t->front, inputs, before);
#pragma GCC unroll 8
    for (uint32_t i = 0; i < blocks; i++)
        t->sum[at + i] = _mm512_dpbusd_epi32(t->sum[at + i], i ? inputs : first, _mm512_load_si512(line + i * STEP));
}

INLINE void add_end(struct tile *t, __m512i inputs, const int8_t *line)
{
    t->sum[0] = _mm512_dpbusd_epi32(t->sum[0], inputs, _mm512_maskz_load_epi32(t->front, line));
}

INLINE void add_forwards(struct tile *t, uint32_t groups, const uint8_t *in, const int8_t *line, const uint32_t blocks, const uint32_t split)
{
    __m512i before = _mm512_setzero_si512();
    uint32_t group = 0;
    for (; group + split <= groups; group += split) {
#pragma GCC unroll 8
        for (uint32_t s = 0; s < split; s++) {
            __m512i inputs = four_inputs(in + (group + s) * INFER_PAIR);
            add_group(t, inputs, before, line + s * blocks * STEP, blocks, s * blocks);
            before = inputs;
        }
        line += split * blocks * STEP;
    }
    for (; group < groups; group++) {
        __m512i inputs = four_inputs(in + group * INFER_PAIR);
        add_group(t, inputs, before, line, blocks, 0);
        before = inputs;
        line += blocks * STEP;
    }
    add_end(t, before, line);
}

INLINE void add_backwards(struct tile *t, uint32_t groups, const uint8_t *in, const int8_t *line, const uint32_t blocks)
{
    __m512i inputs = four_inputs(in + (groups - 1) * INFER_PAIR);
    line += groups * blocks * STEP;
    add_end(t, inputs, line);
    while (--groups) {
        __m512i before = four_inputs(in + (groups - 1) * INFER_PAIR);
        line -= blocks * STEP;
        add_group(t, inputs, before, line, blocks, 0);
        inputs = before;
    }
    add_group(t, inputs, _mm512_setzero_si512(), line - blocks * STEP, blocks, 0);
}

INLINE void sum_tile(int32_t *sums, const int32_t *bias, const int8_t *weights, uint32_t groups, const uint8_t *in,
                     const uint32_t blocks, const uint32_t split, int backwards)
{
    const uint32_t lanes = blocks * INFER_LANES;
    uint32_t turn = (uint32_t)((uintptr_t)weights & (STEP - 1)) / INFER_PAIR;
    const int8_t *line = weights - turn * INFER_PAIR;
    struct tile t = {.front = (__mmask16)((1u << turn) - 1)};
    t.sum[0] = _mm512_maskz_loadu_epi32((__mmask16)~t.front, bias - turn);
    t.sum[0] = _mm512_mask_loadu_epi32(t.sum[0], t.front, bias + lanes - turn);
#pragma GCC unroll 8
    for (uint32_t i = 1; i < blocks * split; i++)
        t.sum[i] = i < blocks ? _mm512_loadu_si512(bias + i * INFER_LANES - turn) : _mm512_setzero_si512();
    if (split == 1 && backwards)
        add_backwards(&t, groups, in, line, blocks);
    else
        add_forwards(&t, groups, in, line, blocks, split);
#pragma GCC unroll 8
    for (uint32_t i = 0; i < blocks; i++)
#pragma GCC unroll 8
        for (uint32_t s = 1; s < split; s++)
            t.sum[i] = _mm512_add_epi32(t.sum[i], t.sum[s * blocks + i]);
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    __m512i turned = _mm512_add_epi32(lane, _mm512_set1_epi32((int32_t)turn));
#pragma GCC unroll 8
    for (uint32_t i = 0; i < blocks; i++)
        _mm512_store_si512(sums + i * INFER_LANES, _mm512_permutex2var_epi32(t.sum[i], turned, t.sum[(i + 1) % blocks]));
}

TARGET static void tile(int32_t *sums, const int32_t *bias, const int8_t *weights, uint32_t groups, uint32_t blocks, const uint8_t *in,
                        int backwards)
{
    switch (blocks) {
    case 1: sum_tile(sums, bias, weights, groups, in, 1, 8, backwards); break;
    case 2: sum_tile(sums, bias, weights, groups, in, 2, 4, backwards); break;
    case 3: sum_tile(sums, bias, weights, groups, in, 3, 2, backwards); break;
    case 4: sum_tile(sums, bias, weights, groups, in, 4, 2, backwards); break;
    case 5: sum_tile(sums, bias, weights, groups, in, 5, 1, backwards); break;
    case 6: sum_tile(sums, bias, weights, groups, in, 6, 1, backwards); break;
    case 7: sum_tile(sums, bias, weights, groups, in, 7, 1, backwards); break;
    default: sum_tile(sums, bias, weights, groups, in, 8, 1, backwards); break;
    }
}

/* Of a layer, in registers: stores of bytes might change what is in memory. */
struct scale {
    __m512i multiplier, half;
    __m128i shift;
};

INLINE struct scale scale_of(const struct infer_layer *layer)
{
    return (struct scale){_mm512_set1_epi64(layer->multiplier), _mm512_set1_epi64((INT64_C(1) << layer->shift) >> 1),
                          _mm_cvtsi32_si128(layer->shift)};
}

/* Eight values of 64 bits. */
INLINE __m512i scaled(__m256i sums, struct scale scale)
{
    __m512i product = _mm512_mul_epi32(_mm512_cvtepi32_epi64(sums), scale.multiplier);
    return _mm512_sra_epi64(_mm512_add_epi64(product, scale.half), scale.shift);
}

INLINE void inner(uint8_t *out, const int32_t *sums, uint32_t blocks, const struct infer_layer *layer, const int8_t *table)
{
    struct scale scale = scale_of(layer);
    const __m128i least = _mm_set1_epi8(layer->activation == INFER_RELU ? 0 : -128), zero = _mm_set1_epi8(-128);
    for (uint32_t i = 0; i < blocks * INFER_LANES; i += INFER_LANES) {
        __m128i low = _mm512_cvtsepi64_epi8(scaled(_mm256_load_si256((const __m256i *)(sums + i)), scale));
        __m128i high = _mm512_cvtsepi64_epi8(scaled(_mm256_load_si256((const __m256i *)(sums + i + 8)), scale));
        __m128i bytes = _mm_max_epi8(_mm_unpacklo_epi64(low, high), least);
        _mm_storeu_si128((__m128i *)(out + i), _mm_xor_si128(bytes, zero));
    }
    if (layer->activation == INFER_TABLE)
        for (uint32_t i = 0; i < blocks * INFER_LANES; i++)
            out[i] = (uint8_t)(table[out[i]] + 128);
}

INLINE void last(int32_t *out, const int32_t *sums, uint32_t blocks, const struct infer_layer *layer, const int8_t *table)
{
    struct scale scale = scale_of(layer);
    const __m256i least = _mm256_set1_epi32(layer->activation == INFER_RELU ? 0 : INT32_MIN);
    for (uint32_t i = 0; i < blocks * INFER_LANES; i += 8) {
        __m256i words = _mm512_cvtsepi64_epi32(scaled(_mm256_load_si256((const __m256i *)(sums + i)), scale));
        _mm256_storeu_si256((__m256i *)(out + i), _mm256_max_epi32(words, least));
    }
    if (layer->activation == INFER_TABLE)
        for (uint32_t i = 0; i < blocks * INFER_LANES; i++)
            out[i] = table[infer_i8(out[i]) + 128];
}

#include "net_template.h"
#else
typedef int no_avx512; /* a file is not to be empty */
#endif
