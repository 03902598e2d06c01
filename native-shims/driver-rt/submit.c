#define _GNU_SOURCE
#include "rt.h"

#include <errno.h>
#include <string.h>

static IoResultCode submit(isle_rt *rt, uint64_t tag, uint64_t context, uint64_t offset, uint32_t length, uint64_t seen, bool *answerable)
{
    uint32_t index = (uint32_t)tag;
    *answerable = false;
    if (index >= rt->max_inflight) {
        rt_violation(rt);
        return -ESTALE;
    }
    struct slot *s = &rt->slots[index];
    if (atomic_load_explicit(&s->word, memory_order_acquire) & 1) {
        rt_violation(rt);
        return -EBUSY;
    }
    *answerable = true;
    if (!atomic_load_explicit(&rt->open, memory_order_acquire))
        return -ENODEV;
    if (length > rt->max_command)
        return -EMSGSIZE;
    if (length < sizeof(isle_command) || (length & 7) || (offset & 7) || offset > rt->commands_size ||
        length > rt->commands_size - offset) {
        rt_violation(rt);
        return -EINVAL;
    }
    struct object_view view;
    int rc = table_get(&rt->contexts, context, &view);
    if (rc)
        return rc;
    if (view.size || atomic_load_explicit(&rt->frozen, memory_order_relaxed))
        return -EINTR; /* being reset */
    if (view.returned > seen)
        return -EAGAIN;
    uint8_t *command = length <= RT_SMALL_COMMAND ? s->small : rt->big + (size_t)index * rt->max_command;
    memcpy(command, rt->commands + offset, length);
    rc = envelope_bind(rt, command, length, context, tag);
    if (rc)
        return rc;

    uint64_t word = (tag & ~(uint64_t)UINT32_MAX) | 1;
    atomic_store_explicit(&s->context, context, memory_order_relaxed);
    atomic_store_explicit(&s->word, word, memory_order_release);
    if (rt->completion_mode == RT_COMPLETES) {
        AccelSubmissionHandle submission = 0;
        rc = rt->base.submit_commands(rt->device, view.handle, command, length, NULL, 0, &submission);
    } else {
        rc = callbacks_submit(rt, index, view.handle, command, length);
    }
    if (rc >= 0)
        return 0;
    /* Refused; should the driver have completed it all the same, that completion is out and must stay the only answer. */
    if (atomic_compare_exchange_strong(&s->word, &word, word & ~(uint64_t)1))
        return rc;
    rt_violation(rt);
    return 0;
}

IoResultCode rt_submit(isle_rt *rt, uint64_t tag, uint64_t context, uint64_t offset, uint32_t length, uint64_t seen, bool *answerable)
{
    lane_enter(rt);
    IoResultCode rc = submit(rt, tag, context, offset, length, seen, answerable);
    lane_leave(rt);
    return rc;
}

void rt_came_back(isle_rt *rt, uint64_t context, uint64_t ticket)
{
    table_set_returned(&rt->contexts, context, ticket + 1);
}

RT_API IoResultCode isle_rt_submit(isle_rt *rt, uint64_t tag, uint64_t context, uint64_t offset, uint32_t length)
{
    bool answerable;
    return rt_submit(rt, tag, context, offset, length, UINT64_MAX, &answerable);
}

static IoResultCode preempt(isle_rt *rt, uint64_t context, uint32_t reason)
{
    struct object_view view;
    if (reason > PREEMPT_ADMIN_EVICT)
        return -EINVAL;
    if (!atomic_load_explicit(&rt->open, memory_order_acquire))
        return -ENODEV;
    int rc = table_get(&rt->contexts, context, &view);
    if (rc)
        return rc;
    return rt->base.preempt_context ? rt->base.preempt_context(rt->device, view.handle, reason) : IO_NOT_SUPPORTED;
}

RT_API IoResultCode isle_rt_preempt(isle_rt *rt, uint64_t context, uint32_t reason)
{
    lane_enter(rt);
    IoResultCode rc = preempt(rt, context, reason);
    lane_leave(rt);
    return rc;
}
