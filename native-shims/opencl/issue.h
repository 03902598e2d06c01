/* Puts submissions on the device. */
#ifndef ISLE_OPENCL_ISSUE_H
#define ISLE_OPENCL_ISSUE_H

#include "opencl.h"

/* The thread of a context that does so. */
void *issuer_main(void *context);

#endif
