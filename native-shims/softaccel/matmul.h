/* Products of matrices. */
#ifndef ISLE_SOFT_MATMUL_H
#define ISLE_SOFT_MATMUL_H

#include "call.h"
#include "work.h"

/* a, b, c, m, n, k */
int run_matmul(struct exec *x, const struct call *c, const struct matmul *kernel);

#endif
