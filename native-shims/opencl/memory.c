/* Device memory. What the CPU sees lies in the core's heap; a device that does not see it there has a copy of its own. */
#define _GNU_SOURCE
#include "memory.h"

#include <errno.h>
#include <string.h>

#include "../kit/kit.h"
#include "backing.h"
#include "errors.h"
#include "handles.h"
#include "objects.h"

static IoResultCode charge(struct device *d, struct context *c, uint64_t size)
{
    uint64_t most = c->limits.max_memory_bytes;
    IoResultCode rc = 0;
    pthread_mutex_lock(&d->lock);
    if (d->memory_used > d->settings.memory_bytes || size > d->settings.memory_bytes - d->memory_used ||
        (most && (c->memory_used > most || size > most - c->memory_used)))
        rc = -ENOMEM;
    if (!rc) {
        d->memory_used += size;
        c->memory_used += size;
        if (c->memory_used > c->memory_peak)
            c->memory_peak = c->memory_used;
    }
    pthread_mutex_unlock(&d->lock);
    return rc;
}

static void discharge(struct device *d, struct context *c, uint64_t size)
{
    pthread_mutex_lock(&d->lock);
    d->memory_used -= size;
    c->memory_used -= size;
    pthread_mutex_unlock(&d->lock);
}

/* What another tenant left on the device is nobody's to read. */
static cl_int zero(struct device *d, struct context *c, struct memory *m)
{
    const cl_uint none = 0;
    cl_int rc = backing_fill(d, c->control, &m->backing, &none, sizeof none, 0, m->size, NULL);
    return rc ? rc : d->cl->Finish(c->control);
}

static IoResultCode back(struct device *d, struct context *c, struct memory *m, AccelContextHandle context, bool cpu_visible)
{
    if (cpu_visible) {
        IoResultCode result = d->core->alloc_shared(d->core->core, context, m->size, OPENCL_PAGE, &m->where);
        if (result)
            return result;
        m->shared = true;
    }
    bool same = cpu_visible && d->coherent;
    m->staged = cpu_visible && !same;
    cl_int rc = backing_make(d, c->cl, c->svm, m->size, same ? m->where.pointer : NULL, &m->backing);
    if (!rc && !same)
        rc = zero(d, c, m);
    if (rc)
        kit_log(d->core, ISLE_LOG_WARN, "%s: no memory of %llu bytes, OpenCL error %d", d->facts.name, (unsigned long long)m->size, rc);
    return cl_result(d, rc);
}

void memory_release(struct device *d, struct context *c, struct memory *m)
{
    backing_free(d, c->cl, &m->backing);
    if (m->shared)
        d->core->free_shared(d->core->core, &m->where);
    discharge(d, c, m->size);
    memset(m, 0, sizeof *m);
}

IoResultCode opencl_alloc(void *ctx, AccelContextHandle context, uint64_t size, uint64_t alignment, AccelPageSize page_size,
                          AccelMemFlags flags, AccelMemHandle *out)
{
    struct device *d = ctx;
    struct context *c = context_of(d, context);
    if (!c)
        return -ESTALE;
    if (!size || !out || page_size > ACCEL_PAGE_DEVICE_OPTIMAL || (flags & ~ACCEL_MEM_ALL) || (alignment & (alignment - 1)))
        return -EINVAL;
    if (page_size == ACCEL_PAGE_HUGE_2M || page_size == ACCEL_PAGE_HUGE_1G)
        return IO_NOT_SUPPORTED;
    if (alignment > OPENCL_PAGE)
        return -EINVAL;
    if (size > d->facts.most_alloc || size > UINT64_MAX - OPENCL_PAGE)
        return -ENOMEM;
    size = (size + OPENCL_PAGE - 1) & ~(uint64_t)(OPENCL_PAGE - 1);
    struct object *o = object_take(d, OBJECT_MEMORY, context);
    IoResultCode rc = o ? charge(d, c, size) : -ENOMEM;
    if (rc)
        return rc;
    o->memory.size = size;
    rc = back(d, c, &o->memory, context, flags & ACCEL_MEM_CPU_VISIBLE);
    if (rc) {
        memory_release(d, c, &o->memory);
        return rc;
    }
    *out = object_publish(d, o);
    return 0;
}

IoResultCode opencl_free(void *ctx, AccelMemHandle handle)
{
    struct device *d = ctx;
    struct object *o = object_of(d, handle, OBJECT_MEMORY);
    struct context *c = o ? context_of(d, o->context) : NULL;
    if (!c)
        return -ESTALE;
    IoResultCode rc = object_retire(o, handle);
    if (!rc)
        memory_release(d, c, &o->memory);
    return rc;
}

IoResultCode opencl_map(void *ctx, AccelMemHandle handle, uint64_t offset, uint64_t size, uint64_t *out)
{
    struct object *o = object_of(ctx, handle, OBJECT_MEMORY);
    if (!o)
        return -ESTALE;
    if (!out || !size || offset > o->memory.size || size > o->memory.size - offset)
        return -EINVAL;
    if (!o->memory.shared)
        return -EACCES;
    *out = (uint64_t)(uintptr_t)o->memory.where.pointer + offset;
    return 0;
}

static IoResultCode locate(void *ctx, AccelMemHandle handle, isle_shared *out)
{
    struct object *o = object_of(ctx, handle, OBJECT_MEMORY);
    if (!o)
        return -ESTALE;
    if (!out)
        return -EINVAL;
    if (!o->memory.shared)
        return IO_NOT_SUPPORTED;
    *out = o->memory.where;
    return 0;
}

const isle_shared_memory_vtable opencl_shared_memory = {
    .vtable_size = sizeof opencl_shared_memory, .version = ISLE_KABI_VERSION, .locate = locate};
