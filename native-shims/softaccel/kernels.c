#include "kernels.h"

#include <errno.h>
#include <string.h>

#include "bindings.h"
#include "clock.h"
#include "compute.h"
#include "hash.h"
#include "leave.h"
#include "loop.h"
#include "programs.h"
#include "span.h"

#define PART (1u << 20)      /* of copy, fill and histogram, for one compute unit */
#define STEP (32u << 10)      /* bytes between two looks at whether the work must leave: memory that is new costs most of the time */

static bool fill_part(struct exec *x, const void *args, struct piece *p)
{
    const struct span *s = args;
    uint8_t *at = s->dst + p->index * PART;
    for (uint64_t n = part_of(s->bytes, PART, p->index), step; p->done < n; p->done += step) {
        if (piece_left(x, p))
            return false;
        step = step_of(n, p->done, STEP);
        for (uint64_t i = p->done; i + 4 <= p->done + step; i += 4)
            memcpy(at + i, &s->pattern, 4);
        memcpy(at + p->done + (step & ~3ull), &s->pattern, step & 3);
    }
    return true;
}

static bool copy_part(struct exec *x, const void *args, struct piece *p)
{
    const struct span *s = args;
    for (uint64_t n = part_of(s->bytes, PART, p->index), step; p->done < n; p->done += step) {
        if (piece_left(x, p))
            return false;
        step = step_of(n, p->done, STEP);
        memcpy(s->dst + p->index * PART + p->done, s->src + p->index * PART + p->done, step);
    }
    return true;
}

static int fill(struct exec *x, uint8_t *dst, uint64_t bytes, uint32_t pattern)
{
    struct span s = {.dst = dst, .bytes = bytes, .pattern = pattern};
    parallel(x, parts(bytes, PART), fill_part, &s);
    x->did.bytes_written += bytes;
    return 0;
}

/* From the end at which nothing is written over before it was read; each step is a whole one. */
static void copy_overlapping(struct exec *x, const struct span *s)
{
    uint64_t count = parts(s->bytes, STEP);
    for (uint64_t *i = &x->at.done; *i < count && !exec_stopped(x); ++*i) {
        uint64_t index = s->dst < s->src ? *i : count - 1 - *i;
        memmove(s->dst + index * STEP, s->src + index * STEP, part_of(s->bytes, STEP, index));
    }
}

static int copy(struct exec *x, uint8_t *dst, const uint8_t *src, uint64_t bytes)
{
    struct span s = {.dst = dst, .src = src, .bytes = bytes};
    if (dst < src + bytes && src < dst + bytes)
        copy_overlapping(x, &s);
    else
        parallel(x, parts(bytes, PART), copy_part, &s);
    x->did.bytes_read += bytes;
    x->did.bytes_written += bytes;
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

static bool clear_counts(struct exec *x, const void *args, struct piece *p)
{
    const struct span *s = args;
    if (piece_left(x, p))
        return false;
    memset(s->dst, 0, 256 * 8);
    return true;
}

static bool histogram_part(struct exec *x, const void *args, struct piece *p)
{
    const struct span *s = args;
    const uint8_t *at = s->src + p->index * PART;
    uint64_t n = part_of(s->bytes, PART, p->index), begun = p->done;
    uint32_t counts[256] = {0};
    for (uint64_t step; p->done < n && !piece_left(x, p); p->done += step) {
        step = step_of(n, p->done, STEP);
        for (uint64_t i = p->done; i < p->done + step; i++)
            counts[at[i]]++;
    }
    for (int i = 0; i < 256 && p->done != begun; i++)
        __atomic_fetch_add((uint64_t *)(void *)(s->dst + 8 * i), counts[i], __ATOMIC_RELAXED);
    return p->done == n;
}

static int histogram(struct exec *x, const uint8_t *src, uint64_t length, uint8_t *dst, uint64_t room)
{
    struct span s = {.dst = dst, .src = src, .bytes = length};
    if (room < 256 * 8 || ((uintptr_t)dst & 7))
        return -EINVAL;
    parallel(x, 1, clear_counts, &s);
    parallel(x, parts(length, PART), histogram_part, &s);
    x->did.bytes_read += length;
    x->did.bytes_written += 256 * 8;
    return 0;
}

static int busy(struct exec *x, uint64_t us)
{
    if (us > 3600ull * 1000000)
        return -EINVAL;
    uint64_t ns = us * 1000, begun = thread_cpu_ns() - x->at.done;
    while ((x->at.done = thread_cpu_ns() - begun) < ns && !exec_stopped(x))
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
    x->did.kernels++;
    switch (index) {
    case PROGRAM_NOOP:
        return 0;
    case PROGRAM_FILL:
        return fill(x, p[0], n[0], (uint32_t)op->args[1].value);
    case PROGRAM_COPY:
        return n[0] <= n[1] ? copy(x, p[1], p[0], n[0]) : -EINVAL;
    case PROGRAM_SHA256:
        return run_sha256(x, p[0], n[0], p[1], n[1], op->args[2].value);
    case PROGRAM_HISTOGRAM:
        return histogram(x, p[0], n[0], p[1], n[1]);
    case PROGRAM_BUSY:
        return busy(x, op->args[0].value);
    default:
        return run_compute(x, index, op, p, n);
    }
}
