/* Arguments of a kernel. */
#ifndef ISLE_OPENCL_ARGUMENTS_H
#define ISLE_OPENCL_ARGUMENTS_H

#include "opencl.h"

/* Fills in argument `i`. Where a launch cannot give it `why` says that; a value of a type that its name does not tell has kind 0 still. */
void argument_describe(struct device *d, cl_kernel kernel, cl_uint i, isle_kernel_arg *out, char *why, size_t size);

#endif
