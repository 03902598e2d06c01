/* What a submission asks for against what there is, all of it before any of it is enqueued. */
#include "check.h"

#include <errno.h>

#include "range.h"
#include "start.h"

static bool is_buffer(const struct issue *x, uint32_t index, uint32_t access)
{
    return index < x->command->binding_count && x->bindings[index].access != ISLE_ACCESS_PROGRAM && (x->bindings[index].access & access);
}

static bool range_ok(const struct issue *x, uint32_t index, uint32_t access, uint64_t offset, uint64_t bytes)
{
    return is_buffer(x, index, access) && offset <= x->bindings[index].length && bytes <= x->bindings[index].length - offset;
}

/* A kernel gets a part of a buffer only from where the device can address one; shared virtual memory from any element on. */
static bool buffer_ok(const struct issue *x, const struct start *t, uint32_t index)
{
    const isle_kernel_arg *told = &t->told->args[index];
    /* a kernel that may do both with a buffer is given one that it may write: what it reads there it may also overwrite */
    uint32_t access = told->access & ISLE_ACCESS_WRITE ? ISLE_ACCESS_WRITE : ISLE_ACCESS_READ;
    if (!is_buffer(x, t->args[index].binding, access))
        return false;
    const isle_binding *b = &x->bindings[t->args[index].binding];
    if (!t->kernel)
        return true;
    uint32_t element = told->lanes == 1 ? told->bytes : 0, align = x->context->svm && element ? element : x->device->facts.align_bytes;
    return b->length && b->offset % align == 0;
}

static bool argument_ok(const struct issue *x, const struct start *t, uint32_t index)
{
    const isle_arg *a = &t->args[index];
    const isle_kernel_arg *told = &t->told->args[index];
    switch (a->kind) {
    case ISLE_ARG_BUFFER:
        return told->kind == ISLE_ARG_BUFFER && buffer_ok(x, t, index);
    case ISLE_ARG_LOCAL:
        return told->kind == ISLE_ARG_LOCAL && a->value;
    case ISLE_ARG_BYTES: /* any value of a kernel may come so */
        return t->kernel && told->kind != ISLE_ARG_BUFFER && told->kind != ISLE_ARG_LOCAL && a->value == told->bytes && a->value <= t->tail_bytes &&
               a->binding <= t->tail_bytes - a->value;
    default:
        return a->kind == told->kind;
    }
}

static IoResultCode check_start(const struct issue *x, const isle_op *op)
{
    struct start t;
    if (!start_read(x, op, &t) || *t.told->unusable || t.arg_count != t.told->arg_count)
        return -EINVAL;
    for (uint32_t i = 0; i < t.arg_count; i++)
        if (!argument_ok(x, &t, i))
            return -EINVAL;
    if (t.program->builtin == BUILTIN_COPY && x->bindings[t.args[0].binding].length > x->bindings[t.args[1].binding].length)
        return -EINVAL;
    return check_range(x, &t);
}

static IoResultCode check_op(const struct issue *x, const isle_op *op)
{
    const isle_op_copy *c = (const void *)op;
    const isle_op_fill *f = (const void *)op;
    if (op->flags)
        return -EINVAL;
    switch (op->code) {
    case ISLE_OP_COPY:
        return op->length == sizeof *c && range_ok(x, c->dst, ISLE_ACCESS_WRITE, c->dst_offset, c->bytes) &&
                       range_ok(x, c->src, ISLE_ACCESS_READ, c->src_offset, c->bytes)
                   ? 0
                   : -EINVAL;
    case ISLE_OP_FILL:
        return op->length == sizeof *f && range_ok(x, f->dst, ISLE_ACCESS_WRITE, f->offset, f->bytes) ? 0 : -EINVAL;
    case ISLE_OP_DISPATCH:
    case ISLE_OP_LAUNCH:
        return check_start(x, op);
    default:
        return IO_NOT_SUPPORTED;
    }
}

IoResultCode check_ops(const struct issue *x)
{
    const uint8_t *at = (const uint8_t *)(x->bindings + x->command->binding_count);
    for (uint32_t i = 0; i < x->command->op_count; i++) {
        const isle_op *op = (const void *)at;
        IoResultCode rc = check_op(x, op);
        if (rc)
            return rc;
        at += op->length;
    }
    return 0;
}
