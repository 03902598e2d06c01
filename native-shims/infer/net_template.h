/*
 * The walk through a net, for the unit that has included this file. The file gives NET_FUNCTION, TARGET and the functions
 *   quantize(net, run): the first activations
 *   tile(sums, bias, weights, groups, blocks, in, backwards): the sums of a tile, INFER_LANES a block
 *   inner(out, sums, blocks, layer, table), last(...): values of the sums
 */
static inline const int8_t *layer_weights(const struct infer_layer *layer)
{
    const int8_t *table = (const int8_t *)(layer + 1) + (uint32_t)layer->blocks * INFER_LANES * sizeof(int32_t);
    return layer->activation == INFER_TABLE ? table + 256 : table;
}

static inline const struct infer_layer *next_layer(const struct infer_layer *layer)
{
    uint32_t weights = (uint32_t)layer->groups * INFER_PAIR * (uint32_t)layer->blocks * INFER_LANES;
    return (const struct infer_layer *)(layer_weights(layer) + weights);
}

TARGET int NET_FUNCTION(const struct infer_net *net, struct infer_run *run)
{
    const struct infer_layer *layer = (const struct infer_layer *)((const int32_t *)(net + 1) + 2 * net->rounded);
    int32_t at = run->layer;
    run->layer = 0;
    if (at <= 0 || at >= net->layers) {
        quantize(net, run);
        run->backwards = !run->backwards;
        at = 0;
    }
    for (int32_t i = 0; i < at; i++)
        layer = next_layer(layer);
    for (;; at++, layer = next_layer(layer)) {
        const uint8_t *in = run->activations[at & 1];
        uint8_t *out = run->activations[~at & 1];
        const int32_t *bias = (const int32_t *)(layer + 1);
        const int8_t *weights = layer_weights(layer);
        const int8_t *table = weights - 256; /* only read where there is one */
        uint32_t groups = (uint32_t)layer->groups;
        for (uint32_t block = 0; block < (uint32_t)layer->blocks; block += INFER_TILE) {
            uint32_t blocks = (uint32_t)layer->blocks - block < INFER_TILE ? (uint32_t)layer->blocks - block : INFER_TILE;
            int32_t sums[INFER_TILE * INFER_LANES] __attribute__((aligned(64)));
            tile(sums, bias + block * INFER_LANES, weights, groups, blocks, in, run->backwards);
            if (at + 1 == net->layers)
                last(run->output + block * INFER_LANES, sums, blocks, layer, table);
            else
                inner(out + block * INFER_LANES, sums, blocks, layer, table);
            weights += groups * INFER_PAIR * blocks * INFER_LANES;
        }
        if (at + 1 == net->layers)
            return INFER_DONE;
        if (infer_leave(run, at + 1))
            return INFER_YIELDED;
    }
}
