/* Building programs from source. */
#ifndef ISLE_OPENCL_BUILD_H
#define ISLE_OPENCL_BUILD_H

#include "opencl.h"

/* `tenants`: build options besides those of the device's settings. */
IoResultCode build_program(struct device *d, struct context *c, uint32_t kind, const uint8_t *source, uint64_t length,
                           const char *tenants, char *log, uint64_t log_size, cl_program *out);

#endif
