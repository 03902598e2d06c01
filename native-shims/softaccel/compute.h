/* Programs that compute. */
#ifndef ISLE_SOFT_COMPUTE_H
#define ISLE_SOFT_COMPUTE_H

#include "work.h"

/* A program behind PROGRAM_BUSY; pointers and lengths of its buffers by argument. */
int run_compute(struct exec *x, uint32_t program, const isle_op_dispatch *op, uint8_t *const *pointer, const uint64_t *length);

#endif
