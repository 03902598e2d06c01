/* The log of a build. */
#ifndef ISLE_OPENCL_BUILDLOG_H
#define ISLE_OPENCL_BUILDLOG_H

#include <stdint.h>

/* Adds a line to a log of `size` bytes. */
void log_line(char *log, uint64_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
