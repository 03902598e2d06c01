/* Contexts: how they come, are reset, and go; preemption. */
#ifndef ISLE_SOFT_CONTEXT_H
#define ISLE_SOFT_CONTEXT_H

#include "soft.h"

IoResultCode soft_create_context(void *ctx, uint32_t owner_pid, AccelPriority priority, const AccelContextLimits *limits,
                                 AccelContextHandle *out);
IoResultCode soft_destroy_context(void *ctx, AccelContextHandle handle);
IoResultCode soft_reset_context(void *ctx, AccelContextHandle handle);
IoResultCode soft_reset_device(void *ctx);
IoResultCode soft_preempt_context(void *ctx, AccelContextHandle handle, PreemptReason reason);
/* Ends all that is queued, running or lost in the context. */
void context_cancel(struct device *d, struct context *c, int code);
/* What is queued below a position goes back to the core unless it has begun. */
void context_hand_back(struct context *c, uint64_t upto);

#endif
