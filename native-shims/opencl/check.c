/* What a submission asks for against what there is, all of it before any of it is enqueued. */
#include "check.h"

#include <errno.h>

#include "handles.h"
#include "programs.h"

static bool is_buffer(const struct issue *x, uint32_t index, uint32_t access)
{
    return index < x->command->binding_count && x->bindings[index].access != ISLE_ACCESS_PROGRAM && (x->bindings[index].access & access);
}

static bool range_ok(const struct issue *x, uint32_t index, uint32_t access, uint64_t offset, uint64_t bytes)
{
    return is_buffer(x, index, access) && offset <= x->bindings[index].length && bytes <= x->bindings[index].length - offset;
}

/* A kernel gets a part of a buffer only from where the device can address one; shared virtual memory from any element on. */
static bool argument_ok(const struct issue *x, const isle_arg *a, const isle_program_entry *shown, const struct entry *kernel,
                        uint32_t index)
{
    if (a->kind != shown->arg_kinds[index])
        return false;
    if (a->kind != ISLE_ARG_BUFFER)
        return true;
    /* a kernel that may do both with a buffer is given one that it may write: what it reads there it may also overwrite */
    uint32_t access = shown->arg_access[index] & ISLE_ACCESS_WRITE ? ISLE_ACCESS_WRITE : ISLE_ACCESS_READ;
    if (!is_buffer(x, a->binding, access))
        return false;
    const isle_binding *b = &x->bindings[a->binding];
    if (!kernel)
        return true;
    uint32_t align = x->context->svm && kernel->arg_bytes[index] ? kernel->arg_bytes[index] : x->device->facts.align_bytes;
    return b->length && b->offset % align == 0;
}

static IoResultCode check_dispatch(const struct issue *x, const isle_op_dispatch *op)
{
    if (op->op.length < sizeof *op || op->arg_count > OPENCL_ARGS || op->op.length != sizeof *op + op->arg_count * sizeof op->args[0] ||
        op->program >= x->command->binding_count || x->bindings[op->program].access != ISLE_ACCESS_PROGRAM || !op->x || !op->y || !op->z)
        return -EINVAL;
    const struct program *p = &object_held(x->device, x->bindings[op->program].object)->program;
    bool builtin = p->builtin != BUILTIN_NONE;
    if (op->entry >= (builtin ? 1 : p->count))
        return -EINVAL;
    const struct entry *kernel = builtin ? NULL : &p->entries[op->entry];
    const isle_program_entry *shown = builtin ? &opencl_builtins[p->builtin] : &kernel->shown;
    if (op->arg_count != shown->arg_count)
        return -EINVAL;
    for (uint32_t i = 0; i < op->arg_count; i++)
        if (!argument_ok(x, &op->args[i], shown, kernel, i))
            return -EINVAL;
    if (p->builtin == BUILTIN_COPY && x->bindings[op->args[0].binding].length > x->bindings[op->args[1].binding].length)
        return -EINVAL;
    return 0;
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
        return check_dispatch(x, (const void *)op);
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
