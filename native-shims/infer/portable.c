#include "infer.h"

#include <string.h>

#define TARGET
#define NET_FUNCTION infer_portable

static void quantize(const struct infer_net *net, struct infer_run *run)
{
    const int32_t *offsets = (const int32_t *)(net + 1);
    const int32_t *shifts = offsets + net->rounded;
    for (int32_t i = 0; i < net->rounded; i++) {
        int64_t value = ((int64_t)run->input[i] - offsets[i]) >> shifts[i];
        run->activations[0][i] = (uint8_t)(infer_i8(value) + 128);
    }
}

static inline void block_sums(int32_t *sums, const int8_t *weights, const uint8_t *in)
{
    for (uint32_t lane = 0; lane < INFER_LANES; lane++)
        for (uint32_t i = 0; i < INFER_PAIR; i++)
            sums[lane] += in[i] * weights[lane * INFER_PAIR + i];
}

static void tile(int32_t *sums, const int32_t *bias, const int8_t *weights, uint32_t groups, uint32_t blocks, const uint8_t *in,
                 int backwards)
{
    (void)backwards;
    memcpy(sums, bias, blocks * INFER_LANES * sizeof(int32_t));
    for (uint32_t group = 0; group < groups; group++)
        for (uint32_t block = 0; block < blocks; block++)
            block_sums(sums + block * INFER_LANES, weights + (group * blocks + block) * INFER_PAIR * INFER_LANES,
                       in + group * INFER_PAIR);
}

static inline int64_t scaled(int32_t sum, const struct infer_layer *layer)
{
    return ((int64_t)sum * layer->multiplier + ((INT64_C(1) << layer->shift) >> 1)) >> layer->shift;
}

static void inner(uint8_t *out, const int32_t *sums, uint32_t blocks, const struct infer_layer *layer, const int8_t *table)
{
    for (uint32_t i = 0; i < blocks * INFER_LANES; i++) {
        int8_t value = infer_i8(scaled(sums[i], layer));
        if (layer->activation == INFER_RELU && value < 0)
            value = 0;
        else if (layer->activation == INFER_TABLE)
            value = table[value + 128];
        out[i] = (uint8_t)(value + 128);
    }
}

static void last(int32_t *out, const int32_t *sums, uint32_t blocks, const struct infer_layer *layer, const int8_t *table)
{
    for (uint32_t i = 0; i < blocks * INFER_LANES; i++) {
        int64_t value = scaled(sums[i], layer);
        if (layer->activation == INFER_RELU && value < 0)
            value = 0;
        else if (layer->activation == INFER_TABLE)
            value = table[infer_i8(value) + 128];
        out[i] = (int32_t)(value < INT32_MIN ? INT32_MIN : value > INT32_MAX ? INT32_MAX : value);
    }
}

#include "net_template.h"
