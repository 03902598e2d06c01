/* Memory: all of it lies in the core's heap of the context, where the core, its tenants and the HPUs see it. */
#include <errno.h>
#include <stdlib.h>

#include "device.h"

void object_release(struct device *d, struct object *o)
{
    struct context *c = context_of(d, o->context);
    if (o->type == OBJECT_MEMORY) {
        d->core->free_shared(d->core->core, &o->where);
        d->used -= o->size;
        if (c)
            c->used -= o->size;
    }
    free(o->image);
    *o = (struct object){.generation = o->generation};
}

IoResultCode spin_alloc(void *ctx, AccelContextHandle context, uint64_t size, uint64_t alignment, AccelPageSize page_size, AccelMemFlags flags,
                        AccelMemHandle *out)
{
    struct device *d = ctx;
    struct context *c = context_of(d, context);
    if (!c)
        return -ESTALE;
    if (!size || !out || page_size > ACCEL_PAGE_DEVICE_OPTIMAL || (flags & ~ACCEL_MEM_ALL) || (alignment & (alignment - 1)) ||
        alignment > ISLE_SPIN_PAGE)
        return -EINVAL;
    if (page_size == ACCEL_PAGE_HUGE_2M || page_size == ACCEL_PAGE_HUGE_1G)
        return IO_NOT_SUPPORTED;
    if (size > d->settings.memory_bytes)
        return -ENOMEM;
    size = (size + ISLE_SPIN_PAGE - 1) & ~(uint64_t)(ISLE_SPIN_PAGE - 1);
    if (d->used > d->settings.memory_bytes || size > d->settings.memory_bytes - d->used || (c->most && (c->used > c->most || size > c->most - c->used)))
        return -ENOMEM;
    struct object *o = object_take(d, out);
    if (!o)
        return -ENOSPC;
    IoResultCode rc = d->core->alloc_shared(d->core->core, context, size, ISLE_SPIN_PAGE, &o->where);
    if (rc)
        return rc;
    o->type = OBJECT_MEMORY;
    o->context = context;
    o->size = size;
    o->visible = flags & ACCEL_MEM_CPU_VISIBLE;
    d->used += size;
    c->used += size;
    return 0;
}

IoResultCode spin_free(void *ctx, AccelMemHandle handle)
{
    struct device *d = ctx;
    struct object *o = object_of(d, handle, OBJECT_MEMORY);
    if (!o)
        return -ESTALE;
    if (o->attached)
        return -EBUSY;
    object_release(d, o);
    return 0;
}

IoResultCode spin_map(void *ctx, AccelMemHandle handle, uint64_t offset, uint64_t size, uint64_t *out)
{
    struct object *o = object_of(ctx, handle, OBJECT_MEMORY);
    if (!o)
        return -ESTALE;
    if (!out || !size || offset > o->size || size > o->size - offset)
        return -EINVAL;
    if (!o->visible)
        return -EACCES;
    *out = (uint64_t)(uintptr_t)o->where.pointer + offset;
    return 0;
}

static IoResultCode locate(void *ctx, AccelMemHandle handle, isle_shared *out)
{
    struct object *o = object_of(ctx, handle, OBJECT_MEMORY);
    if (!o)
        return -ESTALE;
    if (!out)
        return -EINVAL;
    if (!o->visible)
        return IO_NOT_SUPPORTED;
    *out = o->where;
    return 0;
}

const isle_shared_memory_vtable spin_shared_memory = {
    .vtable_size = sizeof spin_shared_memory, .version = ISLE_KABI_VERSION, .locate = locate};
