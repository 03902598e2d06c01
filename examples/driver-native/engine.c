/* DEVICE: execution of commands, in the thread that stands for the hardware. */
#include <string.h>

#include "demo.h"

#define MAX_BUSY_US 3600000000ull

struct run {
    struct device *d;
    uint64_t position;
    const isle_binding *bindings;
    uint32_t binding_count;
};

struct range {
    uint8_t *bytes;
    uint64_t size;
};

static int stopped(const struct run *r)
{
    return atomic_load(&r->d->stop) == r->position + 1 ? atomic_load(&r->d->stop_code) : 0;
}

/* Memory of a binding: the core has checked that the range lies inside the memory object; submit holds this object. */
static bool bound(const struct run *r, uint32_t index, uint32_t access, struct range *out)
{
    if (index >= r->binding_count || (r->bindings[index].access & ISLE_ACCESS_PROGRAM) || !(r->bindings[index].access & access))
        return false;
    const isle_binding *b = &r->bindings[index];
    *out = (struct range){(uint8_t *)memory_at(r->d, b->object)->where.pointer + b->offset, b->length};
    return true;
}

static void fill(struct range to, uint32_t pattern)
{
    for (uint64_t i = 0; i < to.size; i++)
        to.bytes[i] = (uint8_t)(pattern >> 8 * (i & 3));
}

static int busy(const struct run *r, uint64_t us)
{
    if (us > MAX_BUSY_US)
        return -EINVAL;
    for (uint64_t end = now_ns() + us * 1000; now_ns() < end && !stopped(r);)
        nap();
    return 0;
}

static int histogram(struct range from, struct range to)
{
    uint64_t counts[256] = {0};
    if (to.size < sizeof counts)
        return -EINVAL;
    for (uint64_t i = 0; i < from.size; i++)
        counts[from.bytes[i]]++;
    memcpy(to.bytes, counts, sizeof counts);
    return 0;
}

static int dispatch(const struct run *r, const isle_op_dispatch *op)
{
    uint64_t program = r->bindings[op->program].object - 1;
    if (program >= PROGRAMS || op->entry || op->arg_count != programs[program].arg_count)
        return -EINVAL;
    struct range buffers[2] = {0};
    for (uint32_t i = 0; i < op->arg_count; i++) {
        if (op->args[i].kind != programs[program].arg_kinds[i])
            return -EINVAL;
        if (op->args[i].kind == ISLE_ARG_BUFFER && !bound(r, op->args[i].binding, programs[program].arg_access[i], &buffers[i]))
            return -EINVAL;
    }
    switch (program) {
    case BUSY:
        return busy(r, op->args[0].value);
    case FILL:
        fill(buffers[0], (uint32_t)op->args[1].value);
        return 0;
    case COPY:
        if (buffers[0].size > buffers[1].size)
            return -EINVAL;
        memmove(buffers[1].bytes, buffers[0].bytes, buffers[0].size);
        return 0;
    case HISTOGRAM:
        return histogram(buffers[0], buffers[1]);
    default:
        return 0;
    }
}

/* The core has checked lengths, binding indices, and ranges of copies and fills. */
static int run_op(const struct run *r, const uint8_t *at)
{
    const isle_op_copy *c = (const void *)at;
    const isle_op_fill *f = (const void *)at;
    struct range to, from;
    switch (((const isle_op *)(const void *)at)->code) {
    case ISLE_OP_COPY:
        if (!bound(r, c->dst, ISLE_ACCESS_WRITE, &to) || !bound(r, c->src, ISLE_ACCESS_READ, &from))
            return -EINVAL;
        memmove(to.bytes + c->dst_offset, from.bytes + c->src_offset, c->bytes);
        return 0;
    case ISLE_OP_FILL:
        if (!bound(r, f->dst, ISLE_ACCESS_WRITE, &to))
            return -EINVAL;
        fill((struct range){to.bytes + f->offset, f->bytes}, f->pattern);
        return 0;
    case ISLE_OP_DISPATCH:
        return dispatch(r, (const void *)at);
    default:
        return IO_NOT_SUPPORTED;
    }
}

int run_command(struct device *d, uint64_t position, const uint8_t *command)
{
    const isle_command *h = (const void *)command;
    struct run r = {d, position, bindings_of(command), h->binding_count};
    const uint8_t *at = (const void *)(r.bindings + h->binding_count);
    for (uint32_t i = 0; i < h->op_count; i++) {
        int rc = stopped(&r) ? stopped(&r) : run_op(&r, at);
        if (rc)
            return rc;
        at += ((const isle_op *)(const void *)at)->length;
    }
    return stopped(&r);
}
