/* Sizes of a kernel's start. */
#ifndef ISLE_OPENCL_RANGE_H
#define ISLE_OPENCL_RANGE_H

#include "start.h"

/* Whether kernel and device take these sizes; a line in the log says why not. */
IoResultCode check_range(const struct issue *x, const struct start *t);

#endif
