/* Codes of OpenCL. */
#ifndef ISLE_OPENCL_ERRORS_H
#define ISLE_OPENCL_ERRORS_H

#include "opencl.h"

/* What a code of OpenCL means here: a negated errno. Notes when the device is gone. */
IoResultCode cl_result(struct device *d, cl_int code);

#endif
