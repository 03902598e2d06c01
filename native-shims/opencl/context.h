/* Contexts: how they come, are reset, and go; preemption. */
#ifndef ISLE_OPENCL_CONTEXT_H
#define ISLE_OPENCL_CONTEXT_H

#include "opencl.h"

IoResultCode opencl_create_context(void *ctx, uint32_t owner_pid, AccelPriority priority, const AccelContextLimits *limits,
                                   AccelContextHandle *out);
IoResultCode opencl_destroy_context(void *ctx, AccelContextHandle handle);
IoResultCode opencl_reset_context(void *ctx, AccelContextHandle handle);
IoResultCode opencl_reset_device(void *ctx);
IoResultCode opencl_preempt_context(void *ctx, AccelContextHandle handle, PreemptReason reason);
IoResultCode opencl_enable_svm(void *ctx, AccelContextHandle handle, uint64_t process_page_table);
/* Ends it. Where a kernel does not end this does not return, and the core takes the process from under it. */
void context_end(struct device *d, struct context *c);

#endif
