#include "work.h"

#include <errno.h>
#include <string.h>

#define PART (1u << 20) /* of copy, fill and histogram, for one compute unit */

struct span {
    uint8_t *dst;
    const uint8_t *src;
    uint64_t bytes;
    uint64_t block; /* sha256 */
    uint32_t pattern;
};

static uint64_t parts(uint64_t bytes, uint64_t part)
{
    return bytes / part + (bytes % part != 0);
}

static uint64_t part_of(uint64_t bytes, uint64_t part, uint64_t index)
{
    uint64_t left = bytes - index * part;
    return left < part ? left : part;
}

static void fill_part(struct exec *x, const void *args, uint64_t index)
{
    const struct span *s = args;
    uint8_t *at = s->dst + index * PART;
    uint64_t n = part_of(s->bytes, PART, index);
    if (exec_stopped(x))
        return;
    for (uint64_t i = 0; i + 4 <= n; i += 4)
        memcpy(at + i, &s->pattern, 4);
    memcpy(at + (n & ~3ull), &s->pattern, n & 3);
}

static void copy_part(struct exec *x, const void *args, uint64_t index)
{
    const struct span *s = args;
    if (!exec_stopped(x))
        memcpy(s->dst + index * PART, s->src + index * PART, part_of(s->bytes, PART, index));
}

static int fill(struct exec *x, uint8_t *dst, uint64_t bytes, uint32_t pattern)
{
    struct span s = {.dst = dst, .bytes = bytes, .pattern = pattern};
    parallel(x, parts(bytes, PART), fill_part, &s);
    x->bytes_written += bytes;
    return 0;
}

/* From the end at which nothing is written over before it was read; part by part, so that it can be stopped. */
static void copy_overlapping(struct exec *x, const struct span *s)
{
    uint64_t count = parts(s->bytes, PART);
    for (uint64_t i = 0; i < count && !exec_stopped(x); i++) {
        uint64_t index = s->dst < s->src ? i : count - 1 - i;
        memmove(s->dst + index * PART, s->src + index * PART, part_of(s->bytes, PART, index));
    }
}

static int copy(struct exec *x, uint8_t *dst, const uint8_t *src, uint64_t bytes)
{
    struct span s = {.dst = dst, .src = src, .bytes = bytes};
    if (dst < src + bytes && src < dst + bytes)
        copy_overlapping(x, &s);
    else
        parallel(x, parts(bytes, PART), copy_part, &s);
    x->bytes_read += bytes;
    x->bytes_written += bytes;
    return 0;
}

static uint8_t *range(struct exec *x, uint32_t binding, uint32_t access, uint64_t offset, uint64_t bytes)
{
    uint64_t length;
    uint8_t *p = binding_pointer(x, binding, access, &length);
    return p && offset <= length && bytes <= length - offset ? p + offset : NULL;
}

int run_copy(struct exec *x, const isle_op_copy *op)
{
    uint8_t *dst = range(x, op->dst, ISLE_ACCESS_WRITE, op->dst_offset, op->bytes);
    const uint8_t *src = range(x, op->src, ISLE_ACCESS_READ, op->src_offset, op->bytes);
    return dst && src ? copy(x, dst, src, op->bytes) : -EINVAL;
}

int run_fill(struct exec *x, const isle_op_fill *op)
{
    uint8_t *dst = range(x, op->dst, ISLE_ACCESS_WRITE, op->offset, op->bytes);
    return dst ? fill(x, dst, op->bytes, op->pattern) : -EINVAL;
}

static void sha256_block(struct exec *x, const void *args, uint64_t index)
{
    const struct span *s = args;
    const uint8_t *at = s->src + index * s->block;
    uint64_t n = part_of(s->bytes, s->block, index), whole = n & ~63ull;
    uint32_t state[8];
    memcpy(state, sha256_initial, sizeof state);
    for (uint64_t done = 0, step; !exec_stopped(x) && done < whole; done += step) {
        step = whole - done < SOFT_SLICE ? whole - done : SOFT_SLICE;
        x->device->sha256(state, at + done, step / 64);
    }
    if (!exec_was_stopped(x))
        sha256_finish(x->device->sha256, state, at + whole, n, s->dst + index * 32);
}

/* Blocks 2 * index and 2 * index + 1, both full. */
static void sha256_two_blocks(struct exec *x, const void *args, uint64_t index)
{
    const struct span *s = args;
    const uint8_t *a = s->src + 2 * index * s->block, *b = a + s->block;
    uint64_t whole = s->block & ~63ull;
    uint32_t state_a[8], state_b[8];
    memcpy(state_a, sha256_initial, sizeof state_a);
    memcpy(state_b, sha256_initial, sizeof state_b);
    for (uint64_t done = 0, step; !exec_stopped(x) && done < whole; done += step) {
        step = whole - done < SOFT_SLICE ? whole - done : SOFT_SLICE;
        x->device->sha256_pair(state_a, a + done, state_b, b + done, step / 64);
    }
    if (exec_was_stopped(x))
        return;
    sha256_finish(x->device->sha256, state_a, a + whole, s->block, s->dst + 2 * index * 32);
    sha256_finish(x->device->sha256, state_b, b + whole, s->block, s->dst + (2 * index + 1) * 32);
}

static int sha256(struct exec *x, const uint8_t *src, uint64_t length, uint8_t *dst, uint64_t room, uint64_t block)
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
    x->bytes_read += length;
    x->bytes_written += count * 32;
    x->blocks += count;
    return 0;
}

static void histogram_part(struct exec *x, const void *args, uint64_t index)
{
    const struct span *s = args;
    const uint8_t *at = s->src + index * PART;
    uint64_t n = part_of(s->bytes, PART, index);
    uint32_t counts[256] = {0};
    if (exec_stopped(x))
        return;
    for (uint64_t i = 0; i < n; i++)
        counts[at[i]]++;
    for (int i = 0; i < 256; i++)
        __atomic_fetch_add((uint64_t *)(void *)(s->dst + 8 * i), counts[i], __ATOMIC_RELAXED);
}

static int histogram(struct exec *x, const uint8_t *src, uint64_t length, uint8_t *dst, uint64_t room)
{
    struct span s = {.dst = dst, .src = src, .bytes = length};
    if (room < 256 * 8 || ((uintptr_t)dst & 7))
        return -EINVAL;
    memset(dst, 0, 256 * 8);
    parallel(x, parts(length, PART), histogram_part, &s);
    x->bytes_read += length;
    x->bytes_written += 256 * 8;
    return 0;
}

static int busy(struct exec *x, uint64_t us)
{
    if (us > 3600ull * 1000000)
        return -EINVAL;
    uint64_t until = thread_cpu_ns() + us * 1000;
    while (thread_cpu_ns() < until && !exec_stopped(x))
        for (volatile int i = 0; i < 500; i++)
            ;
    return 0;
}

/* The arguments against what the program declares; pointers and lengths of its buffers. */
static int take_args(struct exec *x, const isle_op_dispatch *op, const isle_program_entry *entry, uint8_t **pointer, uint64_t *length)
{
    if (op->arg_count != entry->arg_count || op->op.length != sizeof *op + op->arg_count * sizeof op->args[0])
        return -EINVAL;
    for (uint32_t i = 0; i < op->arg_count; i++) {
        if (op->args[i].kind != entry->arg_kinds[i])
            return -EINVAL;
        if (op->args[i].kind != ISLE_ARG_BUFFER)
            continue;
        pointer[i] = binding_pointer(x, op->args[i].binding, entry->arg_access[i], &length[i]);
        if (!pointer[i])
            return -EINVAL;
    }
    return 0;
}

int run_dispatch(struct exec *x, const isle_op_dispatch *op)
{
    uint8_t *p[16] = {0};
    uint64_t n[16] = {0};
    if (op->program >= x->command->binding_count || x->bindings[op->program].access != ISLE_ACCESS_PROGRAM || op->entry || !op->x ||
        !op->y || !op->z)
        return -EINVAL;
    uint32_t index = program_index(x->bindings[op->program].object);
    int rc = take_args(x, op, &soft_builtins[index], p, n);
    if (rc)
        return rc;
    x->kernels++;
    switch (index) {
    case PROGRAM_NOOP:
        x->noops++;
        return 0;
    case PROGRAM_FILL:
        return fill(x, p[0], n[0], (uint32_t)op->args[1].value);
    case PROGRAM_COPY:
        return n[0] <= n[1] ? copy(x, p[1], p[0], n[0]) : -EINVAL;
    case PROGRAM_SHA256:
        return sha256(x, p[0], n[0], p[1], n[1], op->args[2].value);
    case PROGRAM_HISTOGRAM:
        return histogram(x, p[0], n[0], p[1], n[1]);
    case PROGRAM_BUSY:
        return busy(x, op->args[0].value);
    default:
        return run_compute(x, index, op, p, n);
    }
}
