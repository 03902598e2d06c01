/* Operations that move bytes, and the dispatch of programs. */
#ifndef ISLE_SOFT_KERNELS_H
#define ISLE_SOFT_KERNELS_H

#include "work.h"

int run_copy(struct exec *x, const isle_op_copy *op);
int run_fill(struct exec *x, const isle_op_fill *op);
int run_dispatch(struct exec *x, const isle_op_dispatch *op);

#endif
