/* Device memory. */
#ifndef ISLE_SOFT_MEMORY_H
#define ISLE_SOFT_MEMORY_H

#include "soft.h"

IoResultCode soft_alloc(void *ctx, AccelContextHandle context, uint64_t size, uint64_t alignment, AccelPageSize page_size,
                        AccelMemFlags flags, AccelMemHandle *out);
IoResultCode soft_free(void *ctx, AccelMemHandle handle);
IoResultCode soft_map(void *ctx, AccelMemHandle handle, uint64_t offset, uint64_t size, uint64_t *out);
IoResultCode soft_locate(void *ctx, AccelMemHandle handle, isle_shared *out);
void memory_free_owned(struct device *d, AccelContextHandle context); /* 0: all */

#endif
