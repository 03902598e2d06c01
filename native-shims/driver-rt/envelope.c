/* Every check of a command envelope. It works on a private copy, so nothing can change between check and use. */
#include "launch.h"

#include <errno.h>
#include <string.h>

#define NO_COPY (ISLE_ACCESS_NO_COPY_IN | ISLE_ACCESS_NO_COPY_BACK)

struct cursor {
    uint8_t *at;
    uint64_t left;
};

static bool buffer_range(const isle_binding *bindings, uint32_t count, uint32_t index, uint32_t access, uint64_t offset, uint64_t bytes)
{
    if (index >= count)
        return false;
    const isle_binding *b = &bindings[index];
    return (b->access & access) && !(b->access & ISLE_ACCESS_PROGRAM) && offset <= b->length && bytes <= b->length - offset;
}

static bool dispatch_ok(const isle_op_dispatch *d, uint32_t length, const isle_binding *bindings, uint32_t count)
{
    if (length < sizeof *d || d->arg_count > 16 || length != sizeof *d + d->arg_count * sizeof(isle_arg))
        return false;
    if (d->program >= count || !(bindings[d->program].access & ISLE_ACCESS_PROGRAM) || !d->x || !d->y || !d->z)
        return false;
    for (uint32_t i = 0; i < d->arg_count; i++) {
        const isle_arg *a = &d->args[i];
        if (a->kind < ISLE_ARG_BUFFER || a->kind > ISLE_ARG_F64)
            return false;
        if (a->kind != ISLE_ARG_BUFFER ? a->binding != 0
                                       : a->value || a->binding >= count || (bindings[a->binding].access & ISLE_ACCESS_PROGRAM))
            return false;
    }
    return true;
}

static bool op_ok(const uint8_t *at, const isle_op *op, const isle_binding *bindings, uint32_t count)
{
    const isle_op_copy *c = (const void *)at;
    const isle_op_fill *f = (const void *)at;
    switch (op->code) {
    case ISLE_OP_COPY:
        return op->length == sizeof *c && buffer_range(bindings, count, c->dst, ISLE_ACCESS_WRITE, c->dst_offset, c->bytes) &&
               buffer_range(bindings, count, c->src, ISLE_ACCESS_READ, c->src_offset, c->bytes);
    case ISLE_OP_FILL:
        return op->length == sizeof *f && buffer_range(bindings, count, f->dst, ISLE_ACCESS_WRITE, f->offset, f->bytes);
    case ISLE_OP_DISPATCH:
        return dispatch_ok((const void *)at, op->length, bindings, count);
    case ISLE_OP_LAUNCH:
        return launch_ok((const void *)at, op->length, bindings, count);
    case ISLE_OP_VENDOR:
        return true; /* the driver's own */
    default:
        return false;
    }
}

/* *launches: whether one of them is a launch. */
static bool ops_ok(struct cursor c, uint32_t op_count, const isle_binding *bindings, uint32_t binding_count, bool *launches)
{
    for (uint32_t i = 0; i < op_count; i++) {
        const isle_op *op = (const void *)c.at;
        if (c.left < sizeof *op || op->length < sizeof *op || (op->length & 7) || op->length > c.left || op->flags)
            return false;
        if (!op_ok(c.at, op, bindings, binding_count))
            return false;
        *launches |= op->code == ISLE_OP_LAUNCH;
        c.at += op->length;
        c.left -= op->length;
    }
    return c.left == 0;
}

static int bind_one(isle_rt *rt, isle_binding *b, uint64_t context)
{
    struct object_view view;
    bool program = b->access == ISLE_ACCESS_PROGRAM;
    if (!program && (!(b->access & (ISLE_ACCESS_READ | ISLE_ACCESS_WRITE)) || (b->access & ~(ISLE_ACCESS_READ | ISLE_ACCESS_WRITE | NO_COPY))))
        return -EINVAL;
    if ((b->access & NO_COPY) && !rt->programs_vt.kernel)
        return IO_NOT_SUPPORTED;
    int rc = table_get(program ? &rt->programs : &rt->memories, b->object, &view);
    if (rc)
        return rc;
    if (view.owner != context)
        return -EACCES;
    if (program ? b->offset || b->length : b->offset > view.size || b->length > view.size - b->offset)
        return -EINVAL;
    b->object = view.handle;
    return 0;
}

IoResultCode envelope_bind(isle_rt *rt, uint8_t *command, uint32_t length, uint64_t context, uint64_t tag)
{
    isle_command *h = (isle_command *)(void *)command;
    uint64_t waits = (uint64_t)h->wait_count * sizeof(isle_wait);
    uint64_t bindings = (uint64_t)h->binding_count * sizeof(isle_binding);
    if (h->magic != ISLE_COMMAND_MAGIC || h->version != ISLE_COMMAND_VERSION || h->header_size != sizeof *h ||
        h->total_length != length || waits + bindings > length - sizeof *h) {
        rt_violation(rt);
        return -EINVAL;
    }
    isle_binding *b = (isle_binding *)(void *)(command + sizeof *h + waits);
    struct cursor ops = {command + sizeof *h + waits + bindings, length - sizeof *h - waits - bindings};
    bool launches = false;
    if (!ops_ok(ops, h->op_count, b, h->binding_count, &launches)) {
        rt_violation(rt);
        return -EINVAL;
    }
    if (launches && !rt->programs_vt.kernel)
        return IO_NOT_SUPPORTED;
    for (uint32_t i = 0; i < h->binding_count; i++) {
        int rc = bind_one(rt, &b[i], context);
        if (rc) {
            if (rc == -EINVAL)
                rt_violation(rt);
            return rc;
        }
    }
    h->tag = tag;
    return 0;
}
