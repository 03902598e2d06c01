/* DEVICE: memory of the device. This device has no memory of its own and uses memory that the CPU can access. */
#include "demo.h"

struct memory *memory_at(struct device *d, AccelMemHandle handle)
{
    uint32_t index = (uint32_t)handle - 1;
    return index < MAX_MEMORIES ? &d->memories[index] : NULL;
}

static struct memory *memory_of(struct device *d, AccelMemHandle handle)
{
    struct memory *m = memory_at(d, handle);
    return m && atomic_load(&m->handle) == handle ? m : NULL;
}

IoResultCode alloc_device_memory(void *ctx, AccelContextHandle context, uint64_t size, uint64_t alignment, AccelPageSize page_size,
                                 AccelMemFlags flags, AccelMemHandle *out)
{
    struct device *d = ctx;
    struct context *c = context_of(d, context);
    if (!c)
        return -ESTALE;
    if (!size || (alignment & (alignment - 1)) || alignment > PAGE || page_size > ACCEL_PAGE_DEVICE_OPTIMAL || (flags & ~ACCEL_MEM_ALL))
        return -EINVAL;
    if (page_size == ACCEL_PAGE_HUGE_2M || page_size == ACCEL_PAGE_HUGE_1G)
        return IO_NOT_SUPPORTED;
    if (size > d->memory_bytes)
        return -ENOMEM;
    size = (size + PAGE - 1) / PAGE * PAGE;
    if (size > d->memory_bytes - d->memory_used || (c->limit && (c->used > c->limit || size > c->limit - c->used)))
        return -ENOMEM;
    for (uint32_t i = 0; i < MAX_MEMORIES; i++) {
        struct memory *m = &d->memories[i];
        if (atomic_load(&m->handle) || atomic_load(&m->users))
            continue;
        IoResultCode rc = d->core->alloc_shared(d->core->core, context, size, PAGE, &m->where);
        if (rc)
            return rc;
        m->where.size = size;
        m->context = context;
        m->generation++;
        c->used += size;
        d->memory_used += size;
        *out = (uint64_t)m->generation << 32 | (i + 1);
        atomic_store(&m->handle, *out);
        return 0;
    }
    return -ENOMEM;
}

bool memory_hold(struct device *d, AccelMemHandle handle)
{
    struct memory *m = memory_at(d, handle);
    if (!m)
        return false;
    atomic_fetch_add(&m->users, 1);
    if (atomic_load(&m->handle) == handle)
        return true;
    atomic_fetch_sub(&m->users, 1);
    return false;
}

void memory_release(struct device *d, AccelMemHandle handle)
{
    atomic_fetch_sub(&memory_at(d, handle)->users, 1);
}

/* memory_hold increments `users`, then reads the handle; this function clears the handle, then reads `users`. */
IoResultCode free_device_memory(void *ctx, AccelMemHandle handle)
{
    struct device *d = ctx;
    struct memory *m = memory_of(d, handle);
    if (!m)
        return -ESTALE;
    atomic_store(&m->handle, 0);
    if (atomic_load(&m->users)) {
        atomic_store(&m->handle, handle);
        return -EBUSY;
    }
    struct context *c = context_of(d, m->context);
    if (c)
        c->used -= m->where.size;
    d->memory_used -= m->where.size;
    d->core->free_shared(d->core->core, &m->where);
    return 0;
}

IoResultCode map_device_memory(void *ctx, AccelMemHandle handle, uint64_t offset, uint64_t size, uint64_t *out)
{
    struct memory *m = memory_of(ctx, handle);
    if (!m)
        return -ESTALE;
    if (!size || offset > m->where.size || size > m->where.size - offset)
        return -EINVAL;
    *out = (uint64_t)(uintptr_t)m->where.pointer + offset;
    return 0;
}

/* Address of the memory for tenants and the core. */
static IoResultCode locate(void *ctx, AccelMemHandle handle, isle_shared *out)
{
    struct memory *m = memory_of(ctx, handle);
    if (!m)
        return -ESTALE;
    *out = m->where;
    return 0;
}

void memory_free_all(struct device *d, AccelContextHandle context)
{
    for (uint32_t i = 0; i < MAX_MEMORIES; i++) {
        uint64_t handle = atomic_load(&d->memories[i].handle);
        while (handle && (!context || d->memories[i].context == context) && free_device_memory(d, handle) == -EBUSY)
            nap();
    }
}

const isle_shared_memory_vtable shared_memory_table = {.vtable_size = sizeof shared_memory_table, .version = ISLE_KABI_VERSION, .locate = locate};
