#include "handles.h"

struct context *context_of(struct device *d, AccelContextHandle handle)
{
    uint32_t index = (uint32_t)handle - 1;
    if (index >= d->settings.max_contexts)
        return NULL;
    struct context *c = atomic_load_explicit(&d->contexts[index], memory_order_acquire);
    return c && atomic_load_explicit(&c->handle, memory_order_acquire) == handle ? c : NULL;
}

struct memory *memory_by_index(struct device *d, uint32_t index)
{
    if (index >= SOFT_MAX_MEMORIES)
        return NULL;
    struct memory *chunk = atomic_load_explicit(&d->memories[index / SOFT_CHUNK], memory_order_acquire);
    return chunk ? &chunk[index % SOFT_CHUNK] : NULL;
}

struct memory *memory_of(struct device *d, AccelMemHandle handle)
{
    struct memory *m = handle ? memory_by_index(d, (uint32_t)handle - 1) : NULL;
    return m && atomic_load(&m->handle) == handle ? m : NULL;
}

struct memory *memory_held(struct device *d, AccelMemHandle handle)
{
    return memory_by_index(d, (uint32_t)handle - 1);
}
