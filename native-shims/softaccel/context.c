#define _GNU_SOURCE
#include "context.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../kit/kit.h"
#include "clock.h"
#include "handles.h"
#include "memory.h"
#include "progress.h"
#include "submit.h"

static struct context *context_make(struct device *d, uint32_t index)
{
    struct context *c = aligned_alloc(64, (sizeof *c + 63) / 64 * 64);
    if (!c)
        return NULL;
    memset(c, 0, sizeof *c);
    c->index = index;
    pthread_mutex_init(&c->lost_lock, NULL);
    atomic_store_explicit(&d->contexts[index], c, memory_order_release);
    return c;
}

IoResultCode soft_create_context(void *ctx, uint32_t owner_pid, AccelPriority priority, const AccelContextLimits *limits,
                                 AccelContextHandle *out)
{
    struct device *d = ctx;
    if (!limits || !out || priority > ACCEL_PRIORITY_REALTIME)
        return -EINVAL;
    if (limits->guaranteed_bandwidth_us)
        return IO_NOT_SUPPORTED;
    for (uint32_t i = 0; i < d->settings.max_contexts; i++) {
        struct context *c = atomic_load(&d->contexts[i]);
        if (c && atomic_load(&c->handle))
            continue;
        if (!c && !(c = context_make(d, i)))
            return -ENOMEM;
        c->owner_pid = owner_pid;
        c->priority = priority;
        c->limits = *limits;
        c->memory_used = c->memory_peak = 0;
        atomic_store(&c->faulted, false);
        atomic_store(&c->idle_ns, 0);
        atomic_store(&c->idle_since_ns, soft_now());
        memset(&c->counters, 0, sizeof c->counters);
        c->generation = c->generation % 0xffffff + 1;
        *out = (uint64_t)c->generation << 32 | (i + 1);
        d->active_contexts++;
        atomic_store_explicit(&c->handle, *out, memory_order_release);
        return 0;
    }
    kit_log(d->core, ISLE_LOG_WARN, "max_contexts %u reached", d->settings.max_contexts);
    return -ENOSPC;
}

static void pause_for(uint32_t *rounds)
{
    if (++*rounds < 64)
        sched_yield();
    else
        nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
}

void context_cancel(struct device *d, struct context *c, int code)
{
    uint64_t upto = atomic_load(&c->tail);
    uint32_t rounds = 0;
    atomic_store(&c->cancel_code, code);
    atomic_store(&c->cancel_upto, upto);
    context_schedule(d, c);
    while (atomic_load(&c->head) < upto)
        pause_for(&rounds);
    progress_drop(atomic_exchange(&c->progress, NULL));
    pthread_mutex_lock(&c->lost_lock);
    struct lost *lost = c->lost;
    c->lost = NULL;
    pthread_mutex_unlock(&c->lost_lock);
    while (lost) {
        uint64_t now = soft_now();
        struct lost *next = lost->next;
        isle_completion done = {.tag = lost->tag, .status = ACCEL_COMPLETION_ERROR, .detail = code, .start_ns = now, .end_ns = now};
        d->core->complete(d->core->core, &done);
        free(lost);
        lost = next;
    }
    atomic_store(&c->faulted, false);
}

IoResultCode soft_destroy_context(void *ctx, AccelContextHandle handle)
{
    struct device *d = ctx;
    struct context *c = context_of(d, handle);
    if (!c)
        return -ESTALE;
    /* A submission that slips in after this carries a handle that no longer fits, and ends without touching memory. */
    atomic_store(&c->handle, 0);
    context_cancel(d, c, -ISLE_ECLOSED);
    memory_free_owned(d, handle);
    d->active_contexts--;
    return 0;
}

IoResultCode soft_reset_context(void *ctx, AccelContextHandle handle)
{
    struct context *c = context_of(ctx, handle);
    if (!c)
        return -ESTALE;
    context_cancel(ctx, c, -EINTR);
    return 0;
}

IoResultCode soft_reset_device(void *ctx)
{
    struct device *d = ctx;
    for (uint32_t i = 0; i < d->settings.max_contexts; i++) {
        struct context *c = atomic_load(&d->contexts[i]);
        if (c && atomic_load(&c->handle))
            context_cancel(d, c, -EINTR);
    }
    pthread_mutex_lock(&d->fault_lock);
    memset(d->faults, 0, sizeof d->faults);
    atomic_store(&d->faults_armed, 0);
    pthread_mutex_unlock(&d->fault_lock);
    return 0;
}

void context_hand_back(struct context *c, uint64_t upto)
{
    uint64_t before = atomic_load(&c->preempt_upto);
    while (before < upto && !atomic_compare_exchange_weak(&c->preempt_upto, &before, upto))
        ;
}

/* The work that the core means has ended meanwhile; what runs now is another's. */
static bool within_limit(struct context *c)
{
    uint64_t limit = c->limits.max_execution_us;
    return limit && limit < UINT64_MAX / 1000 && soft_now() < atomic_load(&c->running_since_ns) + limit * 1000;
}

/*
 * A limit that has passed concerns the work on the engine alone. For any other reason what has not begun goes back to the core too.
 * The work on the engine leaves at the boundary that the granularity sets; see run_ops and run_live.
 */
IoResultCode soft_preempt_context(void *ctx, AccelContextHandle handle, PreemptReason reason)
{
    struct device *d = ctx;
    struct context *c = context_of(d, handle);
    if (!c)
        return -ESTALE;
    if (reason > PREEMPT_ADMIN_EVICT)
        return -EINVAL;
    bool limit = reason == PREEMPT_EXECUTION_TIMEOUT;
    if (!limit)
        context_hand_back(c, atomic_load(&c->tail));
    uint64_t running = atomic_load(&c->running);
    if (!running || (limit && within_limit(c)))
        return 0;
    uint64_t leave = running << 2 | reason;
    if (atomic_load(&c->leave) != (running << 2 | PREEMPT_EXECUTION_TIMEOUT))
        atomic_store(&c->leave, leave);
    return 0;
}
