/* Memory on the device: buffers or shared virtual memory. */
#ifndef ISLE_OPENCL_BACKING_H
#define ISLE_OPENCL_BACKING_H

#include "opencl.h"

/* Enqueued commands are given as OpenCL's codes, so that the caller counts their events. */
cl_int backing_make(struct device *d, cl_context context, bool svm, uint64_t size, void *host, struct backing *out);
void backing_free(struct device *d, cl_context context, struct backing *b);
cl_int backing_fill(struct device *d, cl_command_queue queue, const struct backing *b, const void *pattern, size_t pattern_size,
                    uint64_t offset, uint64_t bytes, cl_event *event);
/* Between ranges that do not overlap. */
cl_int backing_copy(struct device *d, cl_command_queue queue, const struct backing *dst, uint64_t to, const struct backing *src,
                    uint64_t from, uint64_t bytes, cl_event *event);
cl_int backing_write(struct device *d, cl_command_queue queue, const struct backing *b, uint64_t offset, const void *from, uint64_t bytes,
                     cl_event *event);
cl_int backing_read(struct device *d, cl_command_queue queue, const struct backing *b, uint64_t offset, void *to, uint64_t bytes,
                    cl_event *event);

#endif
