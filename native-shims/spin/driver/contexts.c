#include <errno.h>

#include "device.h"

/* A handle is a generation and, below, a place, from 1. */
struct context *context_of(struct device *d, AccelContextHandle handle)
{
    uint32_t place = (uint32_t)handle - 1;
    return handle && place < SPIN_CONTEXTS && d->contexts[place].handle == handle ? &d->contexts[place] : NULL;
}

struct object *object_of(struct device *d, uint64_t handle, uint32_t type)
{
    uint32_t place = (uint32_t)handle - 1;
    struct object *o = handle && place < SPIN_OBJECTS ? &d->objects[place] : NULL;
    return o && o->type == type && o->generation == handle >> 32 ? o : NULL;
}

struct object *object_take(struct device *d, uint64_t *handle)
{
    for (uint32_t i = 0; i < SPIN_OBJECTS; i++) {
        struct object *o = &d->objects[i];
        if (o->type != OBJECT_FREE)
            continue;
        *o = (struct object){.generation = (o->generation + 1) & INT32_MAX};
        *handle = (uint64_t)o->generation << 32 | (i + 1);
        return o;
    }
    return NULL;
}

IoResultCode spin_create_context(void *ctx, uint32_t owner_pid, AccelPriority priority, const AccelContextLimits *limits, AccelContextHandle *out)
{
    struct device *d = ctx;
    (void)owner_pid;
    if (!limits || !out || priority > ACCEL_PRIORITY_REALTIME)
        return -EINVAL;
    if (limits->guaranteed_bandwidth_us)
        return IO_NOT_SUPPORTED;
    for (uint32_t i = 0; i < d->settings.max_contexts; i++) {
        struct context *c = &d->contexts[i];
        if (c->handle)
            continue;
        d->generation = (d->generation + 1) & INT32_MAX;
        *c = (struct context){.handle = (uint64_t)d->generation << 32 | (i + 1), .most = limits->max_memory_bytes};
        *out = c->handle;
        return 0;
    }
    return -ENOSPC;
}

void context_stop(struct device *d, struct context *c)
{
    if (!c->hpus)
        return;
    spin_detach(c->hpus);
    c->hpus = NULL;
    for (uint32_t i = 0; i < SPIN_OBJECTS; i++)
        if (d->objects[i].context == c->handle)
            d->objects[i].attached = false;
}

IoResultCode spin_destroy_context(void *ctx, AccelContextHandle context)
{
    struct device *d = ctx;
    struct context *c = context_of(d, context);
    if (!c)
        return -ESTALE;
    context_stop(d, c);
    for (uint32_t i = 0; i < SPIN_OBJECTS; i++)
        if (d->objects[i].type && d->objects[i].context == context)
            object_release(d, &d->objects[i]);
    c->handle = 0;
    return 0;
}

IoResultCode spin_reset_context(void *ctx, AccelContextHandle context)
{
    struct device *d = ctx;
    struct context *c = context_of(d, context);
    if (!c)
        return -ESTALE;
    context_stop(d, c);
    return 0;
}

IoResultCode spin_reset_device(void *ctx)
{
    struct device *d = ctx;
    for (uint32_t i = 0; i < SPIN_CONTEXTS; i++)
        context_stop(d, &d->contexts[i]);
    return 0;
}
