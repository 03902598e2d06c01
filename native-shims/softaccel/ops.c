/* The operations of a submission, one after the other. */
#include "ops.h"

#include <errno.h>

#include "kernels.h"
#include "leave.h"
#include "programs.h"
#include "progress.h"

#define LIGHT_BYTES (32u << 10)
#define LIGHT_OPS 64u

static const isle_op *first_op(const struct exec *x)
{
    return (const void *)(x->bindings + x->command->binding_count);
}

static const isle_op *behind(const isle_op *op)
{
    return (const void *)((const uint8_t *)op + op->length);
}

static int run_op(struct exec *x, const isle_op *op)
{
    if (op->flags)
        return -EINVAL;
    switch (op->code) {
    case ISLE_OP_COPY:
        return op->length == sizeof(isle_op_copy) ? run_copy(x, (const void *)op) : -EINVAL;
    case ISLE_OP_FILL:
        return op->length == sizeof(isle_op_fill) ? run_fill(x, (const void *)op) : -EINVAL;
    case ISLE_OP_DISPATCH:
        return op->length >= sizeof(isle_op_dispatch) ? run_dispatch(x, (const void *)op) : -EINVAL;
    default:
        return IO_NOT_SUPPORTED;
    }
}

/* What an operation does counts when it is done. */
static int run_whole(struct exec *x, const isle_op *op)
{
    __auto_type before = x->did;
    x->loop = x->kept = 0;
    int rc = run_op(x, op);
    rc = rc ? rc : atomic_load_explicit(&x->stop, memory_order_relaxed);
    if (rc)
        x->did = before;
    return rc;
}

/* Each stretch does at least one operation, or as much of one as it can. */
int run_ops(struct exec *x)
{
    const isle_op *op = first_op(x);
    uint32_t first = x->at.op;
    for (uint32_t i = 0; i < x->command->op_count; i++, op = behind(op)) {
        if (i < first)
            continue;
        int rc = i > first && exec_told_to_leave(x, PREEMPTION_DRAW_DISPATCH) ? SOFT_LEFT : run_whole(x, op);
        if (rc)
            return rc;
        exec_drop_kept(x);
        x->at.op++;
        x->at.loops = 0;
        x->at.done = 0;
    }
    return 0;
}

bool is_light(const struct exec *x)
{
    const isle_op *op = first_op(x);
    uint64_t bytes = 0;
    if (x->command->op_count > LIGHT_OPS)
        return false;
    for (uint32_t i = 0; i < x->command->op_count; i++, op = behind(op)) {
        const isle_op_dispatch *d = (const void *)op;
        if (op->code == ISLE_OP_DISPATCH && (d->program >= x->command->binding_count || !program_is_noop(x->bindings[d->program].object)))
            return false;
        if (op->code == ISLE_OP_COPY && op->length == sizeof(isle_op_copy))
            bytes += ((const isle_op_copy *)(const void *)op)->bytes;
        if (op->code == ISLE_OP_FILL && op->length == sizeof(isle_op_fill))
            bytes += ((const isle_op_fill *)(const void *)op)->bytes;
    }
    return bytes <= LIGHT_BYTES;
}
