/* The kernels of a program. */
#ifndef ISLE_OPENCL_KERNELS_H
#define ISLE_OPENCL_KERNELS_H

#include "opencl.h"

/* The kernels of a built program that a dispatch can describe; others are named in the log. */
IoResultCode kernels_list(struct device *d, struct program *p, char *log, uint64_t log_size);

#endif
