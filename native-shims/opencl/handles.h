/* What handles of contexts, memory and programs stand for. */
#ifndef ISLE_OPENCL_HANDLES_H
#define ISLE_OPENCL_HANDLES_H

#include "opencl.h"

/* NULL for a context that is gone. */
struct context *context_of(struct device *d, AccelContextHandle handle);
/* A place for an object, in use or not; NULL behind the last one that was made. */
struct object *object_at(struct device *d, uint32_t index);
/* NULL for an object that is gone or of another type. */
struct object *object_of(struct device *d, uint64_t handle, uint32_t type);
/* Of a submission that counts as a user. */
struct object *object_held(struct device *d, uint64_t handle);

#endif
