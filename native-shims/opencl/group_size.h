/* Whether kernels depend on their work-group size. */
#ifndef ISLE_OPENCL_GROUP_SIZE_H
#define ISLE_OPENCL_GROUP_SIZE_H

#include "kernels.h"
#include "scan.h"

/* Says of each kernel what makes its results depend on a work-group size that it does not require. */
void group_size_needs(struct program *p, const struct origin *origin, struct scan *scan);

#endif
