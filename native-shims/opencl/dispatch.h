/* Kernels of a submission. */
#ifndef ISLE_OPENCL_DISPATCH_H
#define ISLE_OPENCL_DISPATCH_H

#include "opencl.h"

/* Once for a submission, before its kernels: which shared virtual memory they may reach. */
IoResultCode list_reachable(struct issue *x);
IoResultCode dispatch_kernel(struct issue *x, const struct entry *e, const isle_op_dispatch *op);

#endif
