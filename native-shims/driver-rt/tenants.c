/* Contexts and memory. What the driver says is checked too: a handle of 0 or a place outside the segment is its bug. */
#include "rt.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

IoResultCode tenant_checked(isle_rt *rt, uint64_t handle)
{
    if (handle)
        return 0;
    rt_log(rt, ISLE_LOG_ERROR, "the driver returned success with handle 0");
    return -EPROTO;
}

/* One heap at a time keeps pages, so that the memory of the others is the machine's again as soon as it is freed. */
static uint64_t kept_by_next(const isle_rt *rt)
{
    for (const struct rt_context *c = rt->context_list; c; c = c->next)
        if (c->has_heap && c->heap.kept)
            return 0;
    return RT_KEPT_BYTES;
}

IoResultCode tenant_create_context(isle_rt *rt, const isle_create_context *q)
{
    IoResultCode rc = table_check_free(&rt->contexts, q->context);
    if (rc)
        return rc;
    if (q->priority > ACCEL_PRIORITY_REALTIME || (q->heap_segment && q->heap_segment < ISLE_SEGMENT_FIRST_HEAP))
        return -EINVAL;
    struct rt_context *c = calloc(1, sizeof *c);
    if (!c)
        return -ENOMEM;
    c->id = q->context;
    pthread_mutex_lock(&rt->lock);
    struct segment *s = q->heap_segment ? segment_find(rt, q->heap_segment) : NULL;
    rc = !q->heap_segment ? 0 : !s ? -ENOENT : s->users ? -EBUSY : heap_init(&c->heap, s->id, s->pointer, s->size, kept_by_next(rt));
    if (!rc && s) {
        s->users++;
        c->has_heap = true;
    }
    pthread_mutex_unlock(&rt->lock);
    if (!rc)
        rc = rt->base.create_context(rt->device, q->owner_pid, q->priority, &q->limits, &c->handle);
    bool created = rc >= 0;
    if (created)
        rc = tenant_checked(rt, c->handle);
    if (rc >= 0 && rt->info.unified_addressing && rt->compute.enable_svm)
        rc = rt->compute.enable_svm(rt->device, c->handle, 0);
    if (rc >= 0 && rt->completion_mode == RT_CALLBACK)
        rc = rt->base.register_completion_callback(rt->device, c->handle, callbacks_function(rt));
    if (rc >= 0)
        rc = table_put(&rt->contexts, q->context, &(struct object_view){.handle = c->handle, .owner = q->context});
    pthread_mutex_lock(&rt->lock);
    c->next = rt->context_list;
    rt->context_list = c;
    pthread_mutex_unlock(&rt->lock);
    if (rc < 0) {
        if (created && c->handle)
            rt->base.destroy_context(rt->device, c->handle);
        context_unlink(rt, q->context, false);
        return rc;
    }
    return 0;
}

/* Frees the bookkeeping of a context, and its heap with all contents. */
void context_unlink(isle_rt *rt, uint64_t id, bool zero)
{
    pthread_mutex_lock(&rt->lock);
    struct rt_context **at = &rt->context_list;
    while (*at && (*at)->id != id)
        at = &(*at)->next;
    struct rt_context *c = *at;
    if (c) {
        *at = c->next;
        struct segment *s = c->has_heap ? segment_find(rt, c->heap.segment) : NULL;
        if (s)
            s->users--;
        if (zero && c->has_heap)
            heap_zero(&c->heap);
        heap_destroy(&c->heap);
    }
    pthread_mutex_unlock(&rt->lock);
    free(c);
}

/* Lets nothing more of the context (0: of any) reach the driver, so that what is in flight afterwards is what the driver forgot. */
static void freeze(isle_rt *rt, uint64_t id)
{
    if (id)
        table_set_size(&rt->contexts, id, 1);
    else
        atomic_store(&rt->frozen, true);
    lane_quiesce(rt);
}

static void thaw(isle_rt *rt, uint64_t id)
{
    if (id)
        table_set_size(&rt->contexts, id, 0);
    else
        atomic_store(&rt->frozen, false);
}

static void fail_forgotten(isle_rt *rt, uint64_t id, int32_t detail)
{
    if (inflight_fail(rt, id, detail) && rt->completion_mode == RT_COMPLETES)
        rt_violation(rt);
}

IoResultCode tenant_destroy_context(isle_rt *rt, uint64_t id)
{
    struct object_view view;
    IoResultCode rc = table_get(&rt->contexts, id, &view);
    if (rc)
        return rc;
    freeze(rt, id);
    rc = rt->base.destroy_context(rt->device, view.handle);
    if (rc < 0) {
        thaw(rt, id);
        return rc;
    }
    table_remove_owned(&rt->memories, id);
    table_remove_orphans(&rt->framebuffers, &rt->memories);
    table_remove_owned(&rt->programs, id);
    table_remove(&rt->contexts, id);
    fail_forgotten(rt, id, -ISLE_ECLOSED);
    context_unlink(rt, id, true);
    return 0;
}

IoResultCode tenant_reset_context(isle_rt *rt, uint64_t id)
{
    struct object_view view;
    IoResultCode rc = table_get(&rt->contexts, id, &view);
    if (rc)
        return rc;
    freeze(rt, id);
    rc = rt->base.reset_context(rt->device, view.handle);
    if (rc >= 0)
        fail_forgotten(rt, id, -EINTR);
    thaw(rt, id);
    return rc;
}

IoResultCode tenant_reset_device(isle_rt *rt)
{
    freeze(rt, 0);
    IoResultCode rc = rt->base.reset_device(rt->device);
    if (rc >= 0)
        fail_forgotten(rt, 0, -EINTR);
    thaw(rt, 0);
    return rc;
}

/* Where the CPU sees the memory; segment 0 when it does not. */
static IoResultCode locate(isle_rt *rt, AccelMemHandle handle, uint64_t size, isle_alloc_response *out)
{
    isle_shared where = {0};
    *out = (isle_alloc_response){.size = size};
    if (!rt->shared_vt.locate)
        return 0;
    IoResultCode rc = rt->shared_vt.locate(rt->device, handle, &where);
    if (rc == IO_NOT_SUPPORTED)
        return 0;
    if (rc < 0)
        return rc;
    struct segment *s = segment_find(rt, where.segment);
    if (!s || where.offset > s->size || where.size > s->size - where.offset || where.size < size) {
        rt_log(rt, ISLE_LOG_ERROR, "the driver located memory outside of its segment");
        return -EPROTO;
    }
    *out = (isle_alloc_response){.segment = where.segment, .offset = where.offset, .size = where.size};
    return 0;
}

IoResultCode tenant_alloc(isle_rt *rt, const isle_alloc_request *q, isle_alloc_response *out)
{
    struct object_view view;
    IoResultCode rc = table_get(&rt->contexts, q->context, &view);
    if (!rc)
        rc = table_check_free(&rt->memories, q->memory);
    if (rc)
        return rc;
    if (!q->size || q->page_size > ACCEL_PAGE_DEVICE_OPTIMAL || (q->flags & ~ACCEL_MEM_ALL) || (q->alignment & (q->alignment - 1)))
        return -EINVAL;
    AccelMemHandle handle = 0;
    rc = rt->base.alloc_device_memory(rt->device, view.handle, q->size, q->alignment, q->page_size, q->flags, &handle);
    if (rc < 0)
        return rc;
    rc = tenant_checked(rt, handle);
    if (!rc)
        rc = locate(rt, handle, q->size, out);
    if (!rc)
        rc = table_put(&rt->memories, q->memory, &(struct object_view){.handle = handle, .owner = q->context, .size = out->size});
    if (rc && handle)
        rt->base.free_device_memory(rt->device, handle);
    return rc;
}

IoResultCode tenant_free(isle_rt *rt, uint64_t id)
{
    struct object_view view;
    IoResultCode rc = table_get(&rt->memories, id, &view);
    if (rc)
        return rc;
    rc = rt->base.free_device_memory(rt->device, view.handle);
    if (rc >= 0) {
        table_remove(&rt->memories, id);
        table_remove_orphans(&rt->framebuffers, &rt->memories);
    }
    return rc;
}
