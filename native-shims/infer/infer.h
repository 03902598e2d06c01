/*
 * Answers of small feed-forward nets: integers only, no threads, no allocation, no global state.
 *
 * There is one function for each vector unit, with equal results. The caller has proven the net: sizes are trusted, and no sum
 * leaves 32 bits. Functions return after each layer if the yield word is set; the next call goes on.
 */
#ifndef ISLE_INFER_H
#define ISLE_INFER_H

#include <stdint.h>

#define INFER_LANES 16u  /* neurons of a block */
#define INFER_PAIR 4u    /* inputs of a group */
#define INFER_TILE 8u    /* most blocks of a tile */
#define INFER_MOST 256u  /* inputs, and neurons of a layer */

enum { INFER_NONE, INFER_RELU, INFER_TABLE };
enum { INFER_DONE = 0, INFER_YIELDED = 2 };

/*
 * In front of a net. Behind it lie `rounded` offsets and as many shifts of the features, each i32, and then the layers.
 * A first activation is (feature - offset) >> shift, held to -128..127. Activations are kept with 128 added, as u8.
 */
struct infer_net {
    int32_t layers;
    int32_t rounded; /* features, up to a multiple of INFER_LANES */
};

/*
 * In front of a layer. Behind it lie INFER_LANES biases of each block, then 256 i8 of the table if there is one, then the weights:
 * of the tiles in turn, INFER_TILE blocks each but for the last one; in a tile of the groups of inputs in turn, in a group of the
 * blocks in turn, in a block INFER_PAIR i8 of each neuron. What pads inputs and neurons is zero. 128 times the sum of a neuron's
 * weights is taken off its bias.
 *
 * A value is sum * multiplier / 2^shift, to the nearest integer, halves up.
 */
struct infer_layer {
    int32_t groups; /* of inputs */
    int32_t blocks; /* of neurons */
    int32_t multiplier;
    int32_t shift;
    int32_t activation;
};

/* Memory of one thread; what is behind `layer` belongs to a net that was left between two layers. */
struct infer_run {
    int32_t yield; /* set by other threads */
    int32_t layer;
    int32_t backwards; /* the way through the weights, another each time: the cache may hold only the last ones */
    int32_t reserved[13];
    int32_t input[INFER_MOST]; /* features; up to `rounded` are read */
    int32_t output[64];
    uint8_t activations[2][INFER_MOST];
};

typedef int infer_function(const struct infer_net *net, struct infer_run *run);

enum { INFER_AUTO, INFER_PORTABLE, INFER_AVX512 };
/* The function for a unit, or for the best that this CPU has; NULL when it lacks that one. */
__attribute__((visibility("default"))) infer_function *isle_infer_select(int unit);

infer_function infer_portable;
#if defined(__x86_64__)
infer_function infer_avx512;
#endif

static inline int8_t infer_i8(int64_t value)
{
    return (int8_t)(value < -128 ? -128 : value > 127 ? 127 : value);
}

/* Whether to return after a layer. */
static inline int infer_leave(struct infer_run *run, int32_t next)
{
    if (!__atomic_load_n(&run->yield, __ATOMIC_ACQUIRE))
        return 0;
    run->layer = next;
    return 1;
}

#endif
