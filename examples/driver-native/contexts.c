#include "demo.h"

struct context *context_of(struct device *d, AccelContextHandle handle)
{
    uint32_t index = (uint32_t)handle - 1;
    return index < MAX_CONTEXTS && atomic_load(&d->contexts[index].handle) == handle ? &d->contexts[index] : NULL;
}

IoResultCode create_context(void *ctx, uint32_t owner_pid, AccelPriority priority, const AccelContextLimits *limits,
                            AccelContextHandle *out)
{
    struct device *d = ctx;
    (void)owner_pid;
    if (priority > ACCEL_PRIORITY_REALTIME)
        return -EINVAL;
    for (uint32_t i = 0; i < d->max_contexts; i++) {
        struct context *c = &d->contexts[i];
        if (atomic_load(&c->handle))
            continue;
        c->generation++;
        c->limit = limits->max_memory_bytes;
        c->used = 0;
        *out = (uint64_t)c->generation << 32 | (i + 1);
        atomic_store(&c->handle, *out);
        d->contexts_used++;
        return 0;
    }
    return -ENOSPC;
}

IoResultCode destroy_context(void *ctx, AccelContextHandle context)
{
    struct device *d = ctx;
    struct context *c = context_of(d, context);
    if (!c)
        return -ESTALE;
    queue_cancel(d, context, -ISLE_ECLOSED);
    memory_free_all(d, context);
    atomic_store(&c->handle, 0);
    d->contexts_used--;
    return 0;
}

IoResultCode reset_context(void *ctx, AccelContextHandle context)
{
    if (!context_of(ctx, context))
        return -ESTALE;
    queue_cancel(ctx, context, -EINTR);
    return 0;
}

IoResultCode reset_device(void *ctx)
{
    queue_cancel(ctx, 0, -EINTR);
    return 0;
}
