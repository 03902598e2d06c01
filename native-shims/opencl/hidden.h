/* Types that their names do not tell. */
#ifndef ISLE_OPENCL_HIDDEN_H
#define ISLE_OPENCL_HIDDEN_H

#include "kernels.h"
#include "scan.h"

/* Asks the compiler what values of kernels are whose type is a typedef's or a structure's; kernels with others are
 * unusable. `scan` may be NULL. */
void hidden_types(struct device *d, struct program *p, struct origin *origin, struct scan *scan);

#endif
