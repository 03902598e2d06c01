/* Kernels of a submission, by a dispatch or a launch. */
#ifndef ISLE_OPENCL_START_H
#define ISLE_OPENCL_START_H

#include "opencl.h"

/* What both operations say. */
struct start {
    const struct program *program;
    const struct entry *kernel; /* NULL: a built-in one */
    const isle_kernel *told;
    const isle_arg *args;
    const uint8_t *tail;
    uint32_t arg_count, tail_bytes, dimensions;
    size_t size[3], offset[3];
    size_t local[3]; /* 0: the library chooses */
};

/* False when the operation is malformed or names no kernel; its frame has been checked. */
bool start_read(const struct issue *x, const isle_op *op, struct start *out);
/* Once for a submission, before its kernels: which shared virtual memory they may reach. */
IoResultCode list_reachable(struct issue *x);
/* It has been checked. */
IoResultCode start_kernel(struct issue *x, const struct start *t);

#endif
