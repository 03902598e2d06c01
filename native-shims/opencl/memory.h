/* Memory of a context. */
#ifndef ISLE_OPENCL_MEMORY_H
#define ISLE_OPENCL_MEMORY_H

#include "opencl.h"

IoResultCode opencl_alloc(void *ctx, AccelContextHandle context, uint64_t size, uint64_t alignment, AccelPageSize page_size,
                          AccelMemFlags flags, AccelMemHandle *out);
IoResultCode opencl_free(void *ctx, AccelMemHandle handle);
IoResultCode opencl_map(void *ctx, AccelMemHandle handle, uint64_t offset, uint64_t size, uint64_t *out);
extern const isle_shared_memory_vtable opencl_shared_memory;
void memory_release(struct device *d, struct context *c, struct memory *m);

#endif
