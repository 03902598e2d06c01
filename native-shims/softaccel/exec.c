/* Runs one submission, or one stretch of it, from its first operation to a completion. */
#define _GNU_SOURCE
#include "exec.h"

#include <errno.h>

#include "../kit/kit.h"
#include "clock.h"
#include "context.h"
#include "faults.h"
#include "finish.h"
#include "leave.h"
#include "ops.h"
#include "pages.h"
#include "power.h"
#include "progress.h"

#define LIGHT_NS 50000  /* what light work can take; what is beyond, its unit has waited for a CPU */
#define SLOW_NS 100000  /* what a lower clock costs is slept in pieces of at least this size */

static uint32_t leave_reason(const struct exec *x)
{
    return atomic_load(&x->context->leave) & 3;
}

/* The work is done: whether it had been told to leave, because its time was up, before it came to this boundary. */
static int at_boundary(const struct exec *x)
{
    if (!exec_told_to_leave(x, PREEMPTION_NONE) || leave_reason(x) != PREEMPT_EXECUTION_TIMEOUT)
        return 0;
    return x->device->settings.preemption <= PREEMPTION_COMMAND_BUFFER ? -ETIMEDOUT : SOFT_LEFT;
}

/* Makes work take as long as it would at the device's clock; returns how long it slept for that. */
static uint64_t slow_down(struct exec *x, uint64_t elapsed, int *rc)
{
    struct worker *w = x->worker;
    if (*rc == SOFT_LEFT)
        x->at.owed_ns += model_stretch(x->device, elapsed);
    if (*rc || (!x->at.owed_ns && atomic_load_explicit(&x->device->clock_mhz, memory_order_relaxed) >= SOFT_FULL_MHZ))
        return 0;
    model_step(x->device, soft_now()); /* what held the clock down may be over, and nobody has looked since */
    w->slow_ns += model_stretch(x->device, elapsed);
    if (!x->at.owed_ns && w->slow_ns < SLOW_NS)
        return 0;
    x->at.owed_ns += w->slow_ns;
    w->slow_ns = 0;
    uint64_t before = soft_now();
    *rc = exec_sleep(x);
    return soft_now() - before;
}

/* What the completion of work that leaves before its end says; unless its time is up, it will go on from here. */
static int32_t detail_of_left(struct exec *x, const struct work *w, const isle_completion *done)
{
    if (leave_reason(x) == PREEMPT_EXECUTION_TIMEOUT)
        return -ETIMEDOUT;
    x->at.ran_ns += done->end_ns - done->start_ns;
    if (!progress_keep(x, w))
        return 0;
    /* nothing may come before it */
    context_hand_back(x->context, atomic_load(&x->context->tail));
    return -ERESTART;
}

/* `cpu`: of this unit; `slept`: what a lower clock cost, during which the unit was busy, too */
static void end(struct exec *x, struct work *w, isle_completion *done, int rc, uint64_t cpu, uint64_t slept)
{
    struct context *c = x->context;
    uint64_t helpers = atomic_load(&x->helper_busy_ns);
    if (rc == SOFT_LEFT && x->position < atomic_load(&c->cancel_upto))
        rc = atomic_load(&c->cancel_code);
    atomic_fetch_add_explicit(&x->worker->busy_ns, cpu + slept, memory_order_relaxed);
    model_step(x->device, done->end_ns);
    x->cpu_ns = cpu + helpers;
    done->busy_ns = cpu + slept + helpers;
    done->status = work_status(&c->counters, rc);
    done->detail = rc == SOFT_LEFT ? detail_of_left(x, w, done) : rc;
    if (!rc && x->at.fault == ISLE_FAULT_PARTIAL_ERROR) {
        done->status = ACCEL_COMPLETION_PARTIAL_ERROR;
        done->detail = (int32_t)(x->command->op_count ? x->command->op_count : 1);
    }
    exec_drop_kept(x);
    work_finish(x, w, done, x->at.fault == ISLE_FAULT_LOST_COMPLETION);
}

/* With it whatever has come behind it since: a context's work begins in order. */
static void hand_back(struct exec *x, struct work *w, isle_completion *done)
{
    context_hand_back(x->context, atomic_load(&x->context->tail));
    done->status = work_status(&x->context->counters, SOFT_LEFT);
    done->detail = -EAGAIN;
    work_finish(x, w, done, false);
}

static int run_checked(struct exec *x)
{
    int rc = atomic_load_explicit(&x->context->faulted, memory_order_relaxed) ? -EIO : pages_touch(x);
    return rc || x->at.fault == ISLE_FAULT_PARTIAL_ERROR ? rc : run_ops(x);
}

/* Asking for a thread's CPU time would cost more than the work, so it is the time that went by. */
static void run_light(struct exec *x, struct work *w, isle_completion *done)
{
    int rc = run_checked(x);
    done->end_ns = soft_now();
    uint64_t elapsed = done->end_ns - done->start_ns, slept = slow_down(x, elapsed, &rc);
    done->end_ns += slept;
    end(x, w, done, rc, elapsed < LIGHT_NS ? elapsed : LIGHT_NS, slept);
}

/*
 * On the engine from here on, so that the core can have it off again; false when it was to leave before. Either soft_preempt_context
 * sees that it runs, or this sees that it is handed back.
 */
static bool begin(struct exec *x, const struct progress *p, const isle_completion *done)
{
    const isle_core *core = x->device->core;
    struct context *c = x->context;
    atomic_store_explicit(&c->running_since_ns, done->start_ns - (p ? p->ran_ns : 0), memory_order_relaxed);
    atomic_store(&c->running, x->position + 1);
    if (x->position < atomic_load(&c->preempt_upto)) {
        atomic_store(&c->running, 0);
        return false;
    }
    if (x->device->tells_starts)
        core->started(core->core, done->tag, done->start_ns);
    return true;
}

/* Injected faults are met at the beginning, not by each stretch; some show at the end only. */
static int meet_fault(struct exec *x)
{
    struct fault fault = {0};
    if (atomic_load_explicit(&x->device->faults_armed, memory_order_relaxed))
        fault = faults_take(x->device);
    x->at.fault = fault.kind;
    return fault.kind && !atomic_load(&x->context->faulted) ? fault_meet(x, &fault) : 0;
}

static void run_heavy(struct exec *x, struct work *w, isle_completion *done, struct progress *p)
{
    uint64_t cpu = thread_cpu_ns();
    if (p)
        progress_take(x, p);
    int rc = p ? 0 : meet_fault(x);
    rc = rc ? rc : run_checked(x);
    cpu = thread_cpu_ns() - cpu;
    done->end_ns = soft_now();
    uint64_t slept = slow_down(x, done->end_ns - done->start_ns, &rc);
    done->end_ns += slept;
    rc = rc ? rc : at_boundary(x);
    atomic_store_explicit(&x->context->running, 0, memory_order_relaxed);
    end(x, w, done, rc, cpu, slept);
}

/*
 * Other work than what left in its middle. The core may have sent it before it knew; if that goes on for longer than what can be on the
 * way, the core has given up what left, and this tells it that here it is given up, too.
 */
static void refuse(struct exec *x, struct work *w, isle_completion *done, struct progress *p)
{
    if (p->others++ < SOFT_QUEUE) {
        atomic_store(&x->context->progress, p);
        hand_back(x, w, done);
        return;
    }
    progress_drop(p);
    end(x, w, done, -EINVAL, 0, 0);
}

static bool run_live(struct exec *x, struct work *w, isle_completion *done)
{
    struct context *c = x->context;
    struct progress *p = atomic_load_explicit(&c->progress, memory_order_relaxed) ? atomic_exchange(&c->progress, NULL) : NULL;
    if (p && !progress_is_of(p, w)) {
        refuse(x, w, done, p);
        return true;
    }
    bool light = !p && !atomic_load_explicit(&x->device->faults_armed, memory_order_relaxed) && is_light(x);
    if (light) {
        run_light(x, w, done);
    } else if (begin(x, p, done)) {
        run_heavy(x, w, done, p);
    } else {
        atomic_store(&c->progress, p);
        hand_back(x, w, done);
    }
    return light;
}

bool run_work(struct worker *worker, struct context *c, uint64_t position)
{
    struct work *w = &c->queue[position % SOFT_QUEUE];
    const isle_command *h = (const void *)w->command;
    uint64_t start = worker->last_end_ns ? worker->last_end_ns : soft_now();
    struct exec x = {.device = worker->device,
                     .worker = worker,
                     .context = c,
                     .position = position,
                     .command = h,
                     .bindings = kit_bindings(w->command)};
    isle_completion done = {.tag = h->tag, .start_ns = start, .end_ns = start};
    bool stale = atomic_load_explicit(&c->handle, memory_order_acquire) != w->context;
    if (stale || position < atomic_load(&c->cancel_upto)) {
        done.detail = stale ? -ISLE_ECLOSED : atomic_load(&c->cancel_code);
        done.status = work_status(&c->counters, done.detail);
        work_finish(&x, w, &done, false);
    } else if (position < atomic_load(&c->preempt_upto)) {
        hand_back(&x, w, &done);
    } else {
        return run_live(&x, w, &done);
    }
    return true;
}
