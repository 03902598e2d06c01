#include "rt.h"

#include <errno.h>

static isle_rt *locked(isle_rt *rt)
{
    pthread_mutex_lock(&rt->lock);
    return rt;
}

struct segment *segment_find(isle_rt *rt, uint32_t id)
{
    for (uint32_t i = 0; id && i < rt->segment_count; i++)
        if (rt->segments[i].id == id)
            return &rt->segments[i];
    return NULL;
}

RT_API IoResultCode isle_rt_add_segment(isle_rt *rt, uint32_t id, void *pointer, uint64_t size, uint32_t writable)
{
    bool heap = id >= ISLE_SEGMENT_FIRST_HEAP, source = id == ISLE_SEGMENT_SOURCE, agent = id == ISLE_SEGMENT_AGENT;
    if (!pointer || ((uintptr_t)pointer & 4095) || !size || writable > 1 || (!heap && (id < ISLE_SEGMENT_COMMANDS || id > ISLE_SEGMENT_AGENT)) ||
        (!writable && id != ISLE_SEGMENT_COMMANDS && !source && !agent) || (writable && (source || agent)))
        return -EINVAL;
    locked(rt);
    IoResultCode rc = 0;
    struct segment *free_entry = NULL;
    for (uint32_t i = 0; i < rt->segment_count && !free_entry; i++)
        if (!rt->segments[i].id)
            free_entry = &rt->segments[i];
    if (segment_find(rt, id)) {
        rc = -EEXIST;
    } else if (!free_entry && rt->segment_count == RT_MAX_SEGMENTS) {
        rc = -ENOSPC;
    } else if ((id == ISLE_SEGMENT_DOORBELL && size < sizeof(isle_doorbell)) || (agent && size < sizeof(isle_agent))) {
        rc = -EINVAL;
    } else {
        if (!free_entry)
            free_entry = &rt->segments[rt->segment_count++];
        *free_entry = (struct segment){.id = id, .writable = writable, .pointer = pointer, .size = size};
        if (id == ISLE_SEGMENT_COMMANDS) {
            rt->commands = pointer;
            rt->commands_size = size;
        } else if (id == ISLE_SEGMENT_DOORBELL) {
            atomic_store_explicit(&rt->doorbell, (isle_doorbell *)pointer, memory_order_release);
        } else if (agent) {
            atomic_store_explicit(&rt->agent, (const isle_agent *)pointer, memory_order_release);
        }
    }
    pthread_mutex_unlock(&rt->lock);
    return rc;
}

IoResultCode segment_remove(isle_rt *rt, uint32_t id)
{
    locked(rt);
    struct segment *s = segment_find(rt, id);
    bool needed = (id == ISLE_SEGMENT_COMMANDS || id == ISLE_SEGMENT_DOORBELL || id == ISLE_SEGMENT_AGENT) && atomic_load(&rt->open);
    IoResultCode rc = !s ? -ENOENT : s->users || needed ? -EBUSY : 0;
    if (!rc) {
        if (id == ISLE_SEGMENT_COMMANDS)
            rt->commands_size = 0;
        else if (id == ISLE_SEGMENT_DOORBELL)
            atomic_store(&rt->doorbell, NULL);
        else if (id == ISLE_SEGMENT_AGENT)
            atomic_store(&rt->agent, NULL);
        *s = (struct segment){0};
    }
    pthread_mutex_unlock(&rt->lock);
    return rc;
}

struct rt_context *context_find(isle_rt *rt, uint64_t id)
{
    struct rt_context *c = rt->context_list;
    while (c && c->id != id)
        c = c->next;
    return c;
}

IoResultCode rt_alloc_shared(void *core, AccelContextHandle context, uint64_t size, uint64_t alignment, isle_shared *out)
{
    isle_rt *rt = locked(core);
    struct rt_context *c = rt->context_list;
    while (c && c->handle != context)
        c = c->next;
    IoResultCode rc = !c ? -ESTALE : !c->has_heap ? -ENOMEM : heap_alloc(&c->heap, size, alignment, out);
    pthread_mutex_unlock(&rt->lock);
    return rc;
}

IoResultCode rt_free_shared(void *core, const isle_shared *shared)
{
    isle_rt *rt = locked(core);
    IoResultCode rc = -ESTALE;
    for (struct rt_context *c = rt->context_list; c; c = c->next)
        if (c->has_heap && c->heap.segment == shared->segment)
            rc = heap_free(&c->heap, shared);
    pthread_mutex_unlock(&rt->lock);
    return rc;
}
