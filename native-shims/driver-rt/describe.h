/* What a driver says of its kernels, before it is passed on. */
#ifndef ISLE_RT_DESCRIBE_H
#define ISLE_RT_DESCRIBE_H

#include "rt.h"

/* Whether every field of the description of kernel `entry` is one that the ABI allows; else a line that says which is not. */
bool kernel_ok(const isle_kernel *k, uint32_t entry, char *why, uint32_t why_size);

#endif
