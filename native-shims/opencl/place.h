/* Whether memory of the CPU can be the device's own, found out by trying. */
#ifndef ISLE_OPENCL_PLACE_H
#define ISLE_OPENCL_PLACE_H

#include "opencl.h"

/* 0, or why not */
IoResultCode place_decide(struct device *d);

#endif
