#include "handles.h"

struct context *context_of(struct device *d, AccelContextHandle handle)
{
    uint32_t index = (uint32_t)handle - 1;
    if (index >= d->settings.max_contexts)
        return NULL;
    struct context *c = atomic_load_explicit(&d->contexts[index], memory_order_acquire);
    return c && atomic_load_explicit(&c->handle, memory_order_acquire) == handle ? c : NULL;
}

struct object *object_at(struct device *d, uint32_t index)
{
    if (index >= OPENCL_OBJECTS)
        return NULL;
    struct object *chunk = atomic_load_explicit(&d->objects[index / OPENCL_CHUNK], memory_order_acquire);
    return chunk ? &chunk[index % OPENCL_CHUNK] : NULL;
}

struct object *object_held(struct device *d, uint64_t handle)
{
    return object_at(d, (uint32_t)handle - 1);
}

struct object *object_of(struct device *d, uint64_t handle, uint32_t type)
{
    struct object *o = handle ? object_held(d, handle) : NULL;
    return o && handle >> 56 == type && atomic_load(&o->handle) == handle ? o : NULL;
}
