#include "launch.h"

static bool argument_ok(const isle_arg *a, uint32_t tail_bytes, const isle_binding *bindings, uint32_t binding_count)
{
    switch (a->kind) {
    case ISLE_ARG_BUFFER:
        return !a->value && a->binding < binding_count && !(bindings[a->binding].access & ISLE_ACCESS_PROGRAM);
    case ISLE_ARG_LOCAL:
        return !a->binding && a->value;
    case ISLE_ARG_BYTES:
        return a->value && a->value <= tail_bytes && a->binding <= tail_bytes - a->value;
    default:
        return a->kind >= ISLE_ARG_U32 && a->kind <= ISLE_ARG_F64 && !a->binding;
    }
}

static bool range_ok(const isle_op_launch *l)
{
    uint64_t items = 1, group = 1;
    uint32_t sized = 0;
    if (!l->dimensions || l->dimensions > 3)
        return false;
    for (uint32_t i = 0; i < 3; i++) {
        uint64_t end;
        if (i >= l->dimensions && (l->size[i] != 1 || l->offset[i] || l->local[i]))
            return false;
        if (!l->size[i] || __builtin_mul_overflow(items, l->size[i], &items) || __builtin_add_overflow(l->offset[i], l->size[i], &end))
            return false;
        sized += l->local[i] != 0;
        group *= l->local[i] ? l->local[i] : 1; /* at most 32 bits times 32 bits */
        if (group > UINT32_MAX)
            return false;
    }
    return !sized || sized == l->dimensions;
}

bool launch_ok(const isle_op_launch *l, uint32_t length, const isle_binding *bindings, uint32_t binding_count)
{
    if (length < sizeof *l || l->_pad || l->_pad2 || l->arg_count > ISLE_LAUNCH_ARGS || l->tail_bytes > ISLE_LAUNCH_TAIL)
        return false;
    if (length != sizeof *l + l->arg_count * sizeof(isle_arg) + ((l->tail_bytes + 7) & ~7u))
        return false;
    if (l->program >= binding_count || !(bindings[l->program].access & ISLE_ACCESS_PROGRAM) || !range_ok(l))
        return false;
    for (uint32_t i = 0; i < l->arg_count; i++)
        if (!argument_ok(&l->args[i], l->tail_bytes, bindings, binding_count))
            return false;
    return true;
}
