/* How a submission ends. on_complete and on_running are called by the OpenCL library, from threads of its own. */
#include "finish.h"

#include "bindings.h"
#include "clock.h"
#include "errors.h"

atomic_uint callbacks_inside;

static void add(_Atomic uint64_t *to, uint64_t n)
{
    atomic_fetch_add_explicit(to, n, memory_order_relaxed);
}

/* Times of the whole, and what the device was busy with it. */
static void measure(struct device *d, struct work *w, isle_completion *done)
{
    uint64_t now = clock_now(), start, end;
    done->start_ns = now;
    for (uint32_t i = 0; i < w->event_count; i++) {
        if (!clock_of_event(d, w->events[i], w->issued_ns, now, &start, &end))
            continue;
        if (start < done->start_ns)
            done->start_ns = start;
        if (end > done->end_ns)
            done->end_ns = end;
        done->busy_ns += end - start;
    }
    if (!done->end_ns)
        done->end_ns = now;
    /* they ran one after the other, but a clock that was corrected in between makes them overlap */
    if (done->busy_ns > done->end_ns - done->start_ns)
        done->busy_ns = done->end_ns - done->start_ns;
}

/* The end of the last event says nothing of how those before it ended. */
static int code_of_events(struct device *d, const struct work *w)
{
    int code = 0;
    for (uint32_t i = 0; i < w->event_count && !code; i++) {
        cl_int status = CL_COMPLETE;
        cl_int rc = d->cl->GetEventInfo(w->events[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
        code = cl_result(d, rc ? rc : status < 0 ? status : CL_SUCCESS);
    }
    return code;
}

static int code_of(struct device *d, const struct work *w)
{
    struct context *c = w->context;
    if (w->position < atomic_load(&c->cancel_upto))
        return atomic_load(&c->cancel_code);
    return w->code ? w->code : code_of_events(d, w);
}

static void finish(struct work *w)
{
    struct context *c = w->context;
    struct device *d = c->device;
    int code = code_of(d, w);
    isle_completion done = {
        .tag = w->tag, .status = code ? ACCEL_COMPLETION_ERROR : ACCEL_COMPLETION_SUCCESS, .detail = code};
    measure(d, w, &done);
    add(&d->busy_ns, done.busy_ns);
    add(&c->execution_ns, done.busy_ns);
    add(code ? &c->errors : &c->completed, 1);
    for (uint32_t i = 0; i < w->event_count; i++)
        d->cl->ReleaseEvent(w->events[i]);
    for (uint32_t i = 0; i < w->part_count; i++)
        d->cl->ReleaseMemObject(w->parts[i]);
    release_bindings(d, w->command); /* the command is the core's again with the completion */
    atomic_store_explicit(&w->result, (w->position + 1) << 8 | done.status, memory_order_release);
    d->core->complete(d->core->core, &done);
    atomic_store_explicit(&w->state, WORK_FREE, memory_order_release);
    atomic_fetch_sub(&c->in_flight, 1);
}

void work_unref(struct work *w)
{
    if (atomic_fetch_sub(&w->refs, 1) == 1)
        finish(w);
}

void on_complete(cl_event event, cl_int status, void *work)
{
    (void)event, (void)status;
    atomic_fetch_add(&callbacks_inside, 1);
    work_unref(work);
    atomic_fetch_sub(&callbacks_inside, 1);
}

void on_running(cl_event event, cl_int status, void *work)
{
    struct work *w = work;
    const isle_core *core = w->context->device->core;
    (void)event;
    atomic_fetch_add(&callbacks_inside, 1);
    if (status >= 0)
        core->started(core->core, w->tag, clock_now());
    work_unref(w);
    atomic_fetch_sub(&callbacks_inside, 1);
}
