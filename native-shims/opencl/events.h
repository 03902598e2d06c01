/* What is collected of a submission while it is put on the device. */
#ifndef ISLE_OPENCL_EVENTS_H
#define ISLE_OPENCL_EVENTS_H

#include "opencl.h"

/* Memory of a binding that has been checked. */
struct memory *memory_at(const struct issue *x, uint32_t binding);
/* Where the event of the next thing to be enqueued goes; NULL without memory. */
cl_event *next_event(struct issue *x);
/* Counts an enqueued thing, or says what the library's code means. */
IoResultCode enqueued(struct issue *x, cl_int rc);
bool keep_part(struct issue *x, cl_mem part);

#endif
