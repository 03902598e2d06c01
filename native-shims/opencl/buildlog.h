/* The log of a build, which goes back to who asked for it. */
#ifndef ISLE_OPENCL_BUILDLOG_H
#define ISLE_OPENCL_BUILDLOG_H

#include "opencl.h"

/* Appends a line to a log of `size` bytes that ends with NUL; what there is no room for is left out. */
__attribute__((format(printf, 3, 4))) void log_line(char *log, uint64_t size, const char *format, ...);
/* Appends what the library says of a build. */
void log_build(struct device *d, cl_program program, char *log, uint64_t size);

#endif
