#include "compute.h"

#include <errno.h>

#include "call.h"
#include "convolve.h"
#include "matmul.h"
#include "programs.h"
#include "reduce.h"
#include "sort.h"

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
