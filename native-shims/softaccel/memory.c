#define _GNU_SOURCE
#include "memory.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "handles.h"
#include "pages.h"

#define KIB4 4096u
#define MIB2 (2ull << 20)
#define GIB1 (1ull << 30)

static struct memory *entry_free(struct device *d, uint32_t *index)
{
    for (uint32_t i = 0; i < SOFT_MAX_MEMORIES; i++) {
        if (!memory_by_index(d, i)) {
            struct memory *chunk = calloc(SOFT_CHUNK, sizeof *chunk);
            if (!chunk)
                return NULL;
            atomic_store_explicit(&d->memories[i / SOFT_CHUNK], chunk, memory_order_release);
        }
        struct memory *m = memory_by_index(d, i);
        if (!atomic_load(&m->handle) && !atomic_load(&m->users)) {
            *index = i;
            return m;
        }
    }
    return NULL;
}

/* The page size in bytes; 0: this device has no such pages. Large pages are for what fills them. */
static uint64_t page_bytes(const struct device *d, AccelPageSize page_size, uint64_t size)
{
    switch (page_size) {
    case ACCEL_PAGE_HUGE_2M:
        return d->settings.memory_bytes >= MIB2 ? MIB2 : 0;
    case ACCEL_PAGE_HUGE_1G:
        return d->settings.memory_bytes >= GIB1 ? GIB1 : 0;
    case ACCEL_PAGE_DEVICE_OPTIMAL:
        return size % MIB2 ? KIB4 : MIB2;
    default:
        return KIB4;
    }
}

static IoResultCode charge(struct device *d, struct context *c, uint64_t size)
{
    IoResultCode rc = 0;
    pthread_mutex_lock(&d->lock);
    uint64_t capacity = pages_capacity(d);
    if (d->memory_used > capacity || size > capacity - d->memory_used ||
        (c->limits.max_memory_bytes && (c->memory_used > c->limits.max_memory_bytes || size > c->limits.max_memory_bytes - c->memory_used)))
        rc = -ENOMEM;
    else {
        d->memory_used += size;
        c->memory_used += size;
        if (c->memory_used > c->memory_peak)
            c->memory_peak = c->memory_used;
    }
    pthread_mutex_unlock(&d->lock);
    return rc;
}

static void discharge(struct device *d, struct context *c, struct memory *m, uint64_t size)
{
    pthread_mutex_lock(&d->lock);
    d->memory_used -= size - pages_forget(d, m);
    if (c)
        c->memory_used -= size;
    pthread_mutex_unlock(&d->lock);
}

static IoResultCode back(struct device *d, struct memory *m, AccelContextHandle context, uint64_t page, bool cpu_visible)
{
    m->shared = cpu_visible;
    if (!cpu_visible) {
        void *p = mmap(NULL, m->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        m->pointer = p == MAP_FAILED ? NULL : p;
        return m->pointer ? 0 : -ENOMEM;
    }
    IoResultCode rc = d->core->alloc_shared(d->core->core, context, m->size, page, &m->where);
    m->pointer = m->where.pointer;
    return rc;
}

static void unback(struct device *d, struct memory *m)
{
    if (m->shared)
        d->core->free_shared(d->core->core, &m->where);
    else
        munmap(m->pointer, m->size);
    m->pointer = NULL;
}

IoResultCode soft_alloc(void *ctx, AccelContextHandle context, uint64_t size, uint64_t alignment, AccelPageSize page_size,
                        AccelMemFlags flags, AccelMemHandle *out)
{
    struct device *d = ctx;
    struct context *c = context_of(d, context);
    if (!c)
        return -ESTALE;
    if (!size || !out || page_size > ACCEL_PAGE_DEVICE_OPTIMAL || (flags & ~ACCEL_MEM_ALL) || (alignment & (alignment - 1)))
        return -EINVAL;
    uint64_t page = page_bytes(d, page_size, size);
    if (!page)
        return IO_NOT_SUPPORTED;
    if (alignment > page)
        return -EINVAL;
    if (size > UINT64_MAX - page)
        return -ENOMEM;
    size = (size + page - 1) & ~(page - 1);
    uint32_t index;
    struct memory *m = entry_free(d, &index);
    IoResultCode rc = m ? charge(d, c, size) : -ENOMEM;
    if (rc)
        return rc;
    m->size = size;
    m->context = context;
    m->pinned = flags & ACCEL_MEM_PINNED;
    rc = back(d, m, context, page, flags & ACCEL_MEM_CPU_VISIBLE);
    if (rc) {
        discharge(d, c, m, size);
        return rc;
    }
    m->generation = m->generation % 0xffffff + 1;
    *out = (uint64_t)m->generation << 32 | (index + 1);
    atomic_store(&m->handle, *out);
    return 0;
}

/* A submission counts itself in and then looks at the handle; this takes the handle away and then looks at the count. */
IoResultCode soft_free(void *ctx, AccelMemHandle handle)
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
    uint64_t size = m->size;
    unback(d, m);
    discharge(d, context_of(d, m->context), m, size);
    return 0;
}

IoResultCode soft_map(void *ctx, AccelMemHandle handle, uint64_t offset, uint64_t size, uint64_t *out)
{
    struct memory *m = memory_of(ctx, handle);
    if (!m)
        return -ESTALE;
    if (!out || !size || offset > m->size || size > m->size - offset)
        return -EINVAL;
    if (!m->shared)
        return -EACCES;
    *out = (uint64_t)(uintptr_t)(m->pointer + offset);
    return 0;
}

IoResultCode soft_locate(void *ctx, AccelMemHandle handle, isle_shared *out)
{
    struct memory *m = memory_of(ctx, handle);
    if (!m)
        return -ESTALE;
    if (!out)
        return -EINVAL;
    if (!m->shared)
        return IO_NOT_SUPPORTED;
    *out = m->where;
    return 0;
}

void memory_free_owned(struct device *d, AccelContextHandle context)
{
    for (uint32_t i = 0; i < SOFT_MAX_MEMORIES && memory_by_index(d, i); i++) {
        struct memory *m = memory_by_index(d, i);
        /* Busy only for the moment in which a worker refuses a submission that came too late. */
        while (atomic_load(&m->handle) && (!context || m->context == context) && soft_free(d, atomic_load(&m->handle)) == -EBUSY)
            sched_yield();
    }
}
