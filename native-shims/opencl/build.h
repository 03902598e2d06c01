/* Building programs from source. */
#ifndef ISLE_OPENCL_BUILD_H
#define ISLE_OPENCL_BUILD_H

#include "kernels.h"

#define BUILD_OPTIONS (OPENCL_OPTIONS + 320u)

/* Those of the driver, of the device's settings and of the program; -EINVAL with a line in the log when they are too long. */
IoResultCode build_options(const struct device *d, const char *tenants, char options[BUILD_OPTIONS], char *log, uint64_t log_size);
IoResultCode build_program(struct device *d, struct origin *origin, char *log, uint64_t log_size, cl_program *out);
/* From source with a text behind a file, for questions of this driver's own; -EINVAL when the compiler refuses it. */
IoResultCode build_quietly(struct device *d, struct origin *origin, const struct appendix *behind, cl_program *out);

#endif
