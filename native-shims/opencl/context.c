#define _GNU_SOURCE
#include "context.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../kit/kit.h"
#include "backing.h"
#include "clock.h"
#include "errors.h"
#include "handles.h"
#include "issue.h"
#include "owned.h"

static struct context *place_for(struct device *d, uint32_t index)
{
    struct context *c = calloc(1, sizeof *c);
    if (!c || !(c->ring = calloc(OPENCL_QUEUE, sizeof *c->ring))) {
        free(c);
        return NULL;
    }
    c->device = d;
    c->index = index;
    for (uint32_t i = 0; i < OPENCL_QUEUE; i++)
        c->ring[i].context = c;
    sem_init(&c->ready, 0, 0);
    atomic_store_explicit(&d->contexts[index], c, memory_order_release);
    return c;
}

static void cl_release(struct device *d, struct context *c)
{
    if (c->queue)
        d->cl->ReleaseCommandQueue(c->queue);
    if (c->control)
        d->cl->ReleaseCommandQueue(c->control);
    backing_free(d, c->cl, &c->between);
    if (c->cl)
        d->cl->ReleaseContext(c->cl);
    c->queue = c->control = NULL;
    c->cl = NULL;
}

static void on_notice(const char *text, const void *private_info, size_t size, void *device)
{
    const struct device *d = device;
    (void)private_info;
    (void)size;
    kit_log(d->core, ISLE_LOG_WARN, "%s: %.300s", d->facts.name, text ? text : "");
}

static IoResultCode cl_create(struct device *d, struct context *c)
{
    const cl_property properties[] = {CL_CONTEXT_PLATFORM, (cl_property)d->platform, 0};
    cl_int rc;
    c->cl = d->cl->CreateContext(properties, 1, &d->id, on_notice, d, &rc);
    if (!rc)
        c->queue = d->cl->CreateCommandQueue(c->cl, d->id, CL_QUEUE_PROFILING_ENABLE, &rc);
    if (!rc)
        c->control = d->cl->CreateCommandQueue(c->cl, d->id, 0, &rc);
    if (rc)
        kit_log(d->core, ISLE_LOG_WARN, "%s: no OpenCL context, error %d", d->facts.name, rc);
    return cl_result(d, rc);
}

static IoResultCode begin(struct device *d, struct context *c, const AccelContextLimits *limits)
{
    c->limits = *limits;
    c->memory_used = c->memory_peak = 0;
    c->kernels = c->bytes_moved = c->execution_ns = c->completed = c->errors = 0;
    c->tells_starts = limits->max_execution_us && ISLE_CORE_HAS(d->core, started);
    c->svm = false;
    c->begin = atomic_load(&c->tail);
    atomic_store(&c->stopping, false);
    IoResultCode rc = cl_create(d, c);
    if (!rc)
        rc = -pthread_create(&c->issuer, NULL, issuer_main, c);
    if (rc)
        cl_release(d, c);
    return rc;
}

IoResultCode opencl_create_context(void *ctx, uint32_t owner_pid, AccelPriority priority, const AccelContextLimits *limits,
                                   AccelContextHandle *out)
{
    struct device *d = ctx;
    (void)owner_pid;
    if (!limits || !out || priority > ACCEL_PRIORITY_REALTIME)
        return -EINVAL;
    if (limits->guaranteed_bandwidth_us)
        return IO_NOT_SUPPORTED;
    if (atomic_load(&d->lost))
        return -ENODEV;
    for (uint32_t i = 0; i < d->settings.max_contexts; i++) {
        struct context *c = atomic_load(&d->contexts[i]);
        if (c && atomic_load(&c->handle))
            continue;
        if (!c && !(c = place_for(d, i)))
            return -ENOMEM;
        IoResultCode rc = begin(d, c, limits);
        if (rc)
            return rc;
        c->generation = c->generation % 0xffffff + 1;
        *out = (uint64_t)c->generation << 32 | (i + 1);
        d->active_contexts++;
        atomic_store_explicit(&c->handle, *out, memory_order_release);
        return 0;
    }
    kit_log(d->core, ISLE_LOG_WARN, "max_contexts %u reached", d->settings.max_contexts);
    return -ENOSPC;
}

/* Nothing is submitted to it meanwhile: the runtime sees to that. What is on the device cannot be stopped, but ends with the code. */
static void cancel(struct context *c, int code)
{
    atomic_store(&c->cancel_code, code);
    atomic_store(&c->cancel_upto, atomic_load(&c->tail));
}

/* Until nothing is in flight or the device has had its time; asked again and again, for a callback may not wait for anybody. */
static bool drained(struct context *c, uint64_t until)
{
    for (uint32_t rounds = 0; atomic_load(&c->in_flight); rounds++) {
        if (clock_now() > until)
            return false;
        if (rounds < 64)
            sched_yield();
        else
            nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    }
    return true;
}

static uint64_t deadline(const struct device *d)
{
    return clock_now() + d->settings.reset_wait_ms * 1000000ull;
}

void context_end(struct device *d, struct context *c)
{
    cancel(c, -ISLE_ECLOSED);
    if (!drained(c, deadline(d))) {
        kit_log(d->core, ISLE_LOG_ERROR, "%s: a kernel still runs after %u ms and cannot be stopped", d->facts.name,
                   d->settings.reset_wait_ms);
        drained(c, UINT64_MAX);
    }
    atomic_store(&c->stopping, true);
    sem_post(&c->ready);
    pthread_join(c->issuer, NULL);
    objects_free_owned(d, c);
    cl_release(d, c);
    atomic_store(&c->handle, 0);
    d->active_contexts--;
}

IoResultCode opencl_destroy_context(void *ctx, AccelContextHandle handle)
{
    struct context *c = context_of(ctx, handle);
    if (!c)
        return -ESTALE;
    context_end(ctx, c);
    return 0;
}

IoResultCode opencl_reset_context(void *ctx, AccelContextHandle handle)
{
    struct context *c = context_of(ctx, handle);
    if (!c)
        return -ESTALE;
    cancel(c, -EINTR);
    return drained(c, deadline(ctx)) ? 0 : -EBUSY;
}

IoResultCode opencl_reset_device(void *ctx)
{
    struct device *d = ctx;
    bool free_of_work = true;
    for (uint32_t i = 0; i < d->settings.max_contexts; i++) {
        struct context *c = atomic_load(&d->contexts[i]);
        if (c && atomic_load(&c->handle))
            cancel(c, -EINTR);
    }
    uint64_t until = deadline(d);
    for (uint32_t i = 0; i < d->settings.max_contexts; i++) {
        struct context *c = atomic_load(&d->contexts[i]);
        if (c && atomic_load(&c->handle))
            free_of_work &= drained(c, until);
    }
    return atomic_load(&d->lost) ? -ENODEV : free_of_work ? 0 : -EBUSY;
}

/* The address space is that of this process: there is no page table to be had here, and none is needed. */
IoResultCode opencl_enable_svm(void *ctx, AccelContextHandle handle, uint64_t process_page_table)
{
    struct device *d = ctx;
    struct context *c = context_of(d, handle);
    if (!c)
        return -ESTALE;
    if (process_page_table)
        return -EINVAL;
    if (!d->svm)
        return IO_NOT_SUPPORTED;
    if (!c->svm && c->memory_used)
        return -EBUSY;
    c->svm = true;
    return 0;
}

/* OpenCL cannot take work off a device. */
IoResultCode opencl_preempt_context(void *ctx, AccelContextHandle handle, PreemptReason reason)
{
    return !context_of(ctx, handle) ? -ESTALE : reason > PREEMPT_ADMIN_EVICT ? -EINVAL : IO_NOT_SUPPORTED;
}
