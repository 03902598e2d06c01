/* SHA-256 of blocks, two side by side where the CPU gains by it. A piece's measure is bytes of a block; its state is that of the hashes. */
#include "hash.h"

#include <errno.h>
#include <string.h>

#include "loop.h"
#include "span.h"

#define SLICE (16u << 10) /* bytes between two looks at whether the work must leave */

static bool sha256_block(struct exec *x, const void *args, struct piece *p)
{
    const struct span *s = args;
    const uint8_t *at = s->src + p->index * s->block;
    uint64_t n = part_of(s->bytes, s->block, p->index), whole = n & ~63ull;
    if (!p->done)
        memcpy(p->state, sha256_initial, sizeof sha256_initial);
    do {
        uint64_t step = step_of(whole, p->done, SLICE);
        if (piece_left(x, p))
            return false;
        x->device->sha256(p->state, at + p->done, step / 64);
        p->done += step;
    } while (p->done < whole);
    sha256_finish(x->device->sha256, p->state, at + whole, n, s->dst + p->index * 32);
    return true;
}

/* Blocks 2 * index and 2 * index + 1, both full. */
static bool sha256_two_blocks(struct exec *x, const void *args, struct piece *p)
{
    const struct span *s = args;
    const uint8_t *a = s->src + 2 * p->index * s->block, *b = a + s->block;
    uint64_t whole = s->block & ~63ull;
    uint32_t *state_a = p->state, *state_b = p->state + 8;
    if (!p->done) {
        memcpy(state_a, sha256_initial, sizeof sha256_initial);
        memcpy(state_b, sha256_initial, sizeof sha256_initial);
    }
    do {
        uint64_t step = step_of(whole, p->done, SLICE);
        if (piece_left(x, p))
            return false;
        x->device->sha256_pair(state_a, a + p->done, state_b, b + p->done, step / 64);
        p->done += step;
    } while (p->done < whole);
    sha256_finish(x->device->sha256, state_a, a + whole, s->block, s->dst + 2 * p->index * 32);
    sha256_finish(x->device->sha256, state_b, b + whole, s->block, s->dst + (2 * p->index + 1) * 32);
    return true;
}

int run_sha256(struct exec *x, const uint8_t *src, uint64_t length, uint8_t *dst, uint64_t room, uint64_t block)
{
    if (!block)
        return -EINVAL;
    uint64_t count = parts(length, block), pairs = 0;
    if (count > room / 32)
        return -EINVAL;
    struct span s = {.dst = dst, .src = src, .bytes = length, .block = block};
    if (x->device->sha256_pair && count >= 2ull * x->device->settings.compute_units)
        pairs = length / block / 2;
    parallel(x, pairs, sha256_two_blocks, &s);
    struct span rest = {
        .dst = dst + pairs * 64, .src = src + pairs * 2 * block, .bytes = length - pairs * 2 * block, .block = block};
    parallel(x, count - 2 * pairs, sha256_block, &rest);
    x->did.bytes_read += length;
    x->did.bytes_written += count * 32;
    x->did.blocks += count;
    return 0;
}
