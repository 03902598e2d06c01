/* What handles of contexts and memory stand for. */
#ifndef ISLE_SOFT_HANDLES_H
#define ISLE_SOFT_HANDLES_H

#include "soft.h"

/* NULL for a context that is gone. */
struct context *context_of(struct device *d, AccelContextHandle handle);
/* A place for memory, in use or not; NULL behind the last one that was made. */
struct memory *memory_by_index(struct device *d, uint32_t index);
/* NULL for memory that is gone. */
struct memory *memory_of(struct device *d, AccelMemHandle handle);
/* Of a submission that counts as a user; its handle is 0 for the moment in which soft_free looks at the users. */
struct memory *memory_held(struct device *d, AccelMemHandle handle);

#endif
