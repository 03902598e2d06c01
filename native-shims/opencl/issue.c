/* A context's issuer: takes submissions in order, checks what only the driver can know, and enqueues them. It waits for no kernel. */
#define _GNU_SOURCE
#include "issue.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>

#include "../kit/kit.h"
#include "check.h"
#include "clock.h"
#include "enqueue.h"
#include "errors.h"
#include "events.h"
#include "faults.h"
#include "finish.h"
#include "start.h"

#define FLUSH_EVERY 16

static IoResultCode enqueue_all(struct issue *x)
{
    const uint8_t *at = (const uint8_t *)(x->bindings + x->command->binding_count);
    IoResultCode rc = x->context->svm ? list_reachable(x) : 0;
    if (!rc)
        rc = enqueue_staging(x, true);
    for (uint32_t i = 0; i < x->command->op_count && !rc; i++) {
        const isle_op *op = (const void *)at;
        rc = enqueue_op(x, op);
        at += op->length;
    }
    if (!rc)
        rc = enqueue_staging(x, false);
    if (rc || x->work->event_count)
        return rc;
    /* nothing to do: its turn in the queue, then */
    cl_event *event = next_event(x);
    return event ? enqueued(x, x->device->cl->EnqueueMarkerWithWaitList(x->context->queue, 0, NULL, event)) : -ENOMEM;
}

/* A callback is counted before it is asked for: it may come at once. */
static bool notify(struct issue *x, cl_event event, cl_int status, cl_event_notify callback)
{
    struct work *w = x->work;
    atomic_fetch_add(&w->refs, 1);
    cl_int rc = x->device->cl->SetEventCallback(event, status, callback, w);
    if (rc)
        atomic_fetch_sub(&w->refs, 1);
    return !rc;
}

static void issue(struct context *c, struct work *w)
{
    struct device *d = c->device;
    const isle_command *h = (const void *)w->command;
    struct issue x = {.device = d,
                      .context = c,
                      .work = w,
                      .command = h,
                      .bindings = kit_bindings(w->command)};
    w->issued_ns = clock_now();
    if (w->position >= atomic_load(&c->cancel_upto)) {
        faults_meet(d);
        w->code = atomic_load(&d->lost) ? -ENODEV : check_ops(&x);
        if (!w->code)
            w->code = enqueue_all(&x);
    }
    if (w->event_count) {
        cl_event last = w->events[w->event_count - 1];
        if (c->tells_starts)
            notify(&x, w->events[0], CL_RUNNING, on_running);
        if (!notify(&x, last, CL_COMPLETE, on_complete)) {
            IoResultCode ended = cl_result(d, d->cl->Finish(c->queue));
            w->code = w->code ? w->code : ended;
        }
    }
    work_unref(w);
}

/* Waits for the next submission; before it has to wait, what was enqueued goes to the device. */
static void await(struct context *c, uint32_t *unflushed)
{
    if (*unflushed && *unflushed < FLUSH_EVERY && !sem_trywait(&c->ready))
        return;
    if (*unflushed)
        c->device->cl->Flush(c->queue);
    *unflushed = 0;
    while (sem_wait(&c->ready))
        ;
}

void *issuer_main(void *context)
{
    struct context *c = context;
    char name[16];
    uint64_t head = c->begin;
    uint32_t unflushed = 0;
    snprintf(name, sizeof name, "opencl-ctx%u", c->index % OPENCL_CONTEXTS);
    pthread_setname_np(pthread_self(), name);
    for (;;) {
        await(c, &unflushed);
        if (head != atomic_load_explicit(&c->tail, memory_order_acquire)) {
            issue(c, &c->ring[head++ % OPENCL_QUEUE]);
            unflushed++;
        } else if (atomic_load(&c->stopping)) {
            return NULL;
        }
    }
}
