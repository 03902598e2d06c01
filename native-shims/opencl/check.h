/* Looks at submissions before they are put on the device. */
#ifndef ISLE_OPENCL_CHECK_H
#define ISLE_OPENCL_CHECK_H

#include "opencl.h"

IoResultCode check_ops(const struct issue *x);

#endif
