#include "compute.h"

#include <errno.h>

bool call_holds(const struct call *c, uint32_t arg, uint64_t count, uint32_t bytes)
{
    return count <= c->length[arg] / bytes && (uintptr_t)c->pointer[arg] % bytes == 0;
}

bool call_overlaps(const struct call *c, uint32_t a, uint32_t b)
{
    return c->pointer[a] < c->pointer[b] + c->length[b] && c->pointer[b] < c->pointer[a] + c->length[a];
}

uint32_t type_bytes(uint32_t type)
{
    return type == ISLE_ARG_U64 ? 8 : type == ISLE_ARG_U32 || type == ISLE_ARG_I32 || type == ISLE_ARG_F32 ? 4 : 0;
}

int run_compute(struct exec *x, uint32_t program, const isle_op_dispatch *op, uint8_t *const *pointer, const uint64_t *length)
{
    struct call c = {0};
    for (uint32_t i = 0; i < op->arg_count; i++) {
        if (op->args[i].kind != ISLE_ARG_BUFFER && op->args[i].value > UINT32_MAX)
            return -EINVAL;
        c.pointer[i] = pointer[i];
        c.length[i] = length[i];
        c.scalar[i] = (uint32_t)op->args[i].value;
    }
    switch (program) {
    case PROGRAM_CONVOLVE_U8:
        return run_convolve_u8(x, &c);
    case PROGRAM_CONVOLVE_F32:
        return run_convolve_f32(x, &c);
    case PROGRAM_MATMUL_F32:
        return run_matmul(x, &c, &x->device->kernels->matmul_f32);
    case PROGRAM_MATMUL_I8:
        return run_matmul(x, &c, &x->device->kernels->matmul_i8);
    case PROGRAM_REDUCE:
        return run_reduce(x, &c);
    default:
        return run_sort(x, &c);
    }
}
