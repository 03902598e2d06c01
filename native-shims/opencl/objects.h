/* The table of memory and programs. */
#ifndef ISLE_OPENCL_OBJECTS_H
#define ISLE_OPENCL_OBJECTS_H

#include "opencl.h"

struct object *object_take(struct device *d, uint32_t type, AccelContextHandle context);
/* Makes it known by a handle. */
uint64_t object_publish(struct device *d, struct object *o);
/* Takes the handle away; -EBUSY while a submission names it. */
IoResultCode object_retire(struct object *o, uint64_t handle);
void objects_free(struct device *d);

#endif
