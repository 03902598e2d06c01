/* Runs one submission from the first op to its completion. */
#define _GNU_SOURCE
#include "work.h"

#include <errno.h>
#include <time.h>

#define LIGHT_BYTES (32u << 10)
#define LIGHT_NS 50000
#define SLOW_NS 100000 /* what a lower clock costs is slept in pieces of this size */

static bool told_to_leave(const struct exec *x, PreemptionGranularity least)
{
    return !x->deaf && x->device->settings.preemption >= least && atomic_load(&x->context->leave) == x->position + 1;
}

bool exec_stopped(struct exec *x)
{
    if (exec_was_stopped(x))
        return true;
    int why = 0;
    if (x->position < atomic_load(&x->context->cancel_upto))
        why = atomic_load(&x->context->cancel_code);
    else if (told_to_leave(x, PREEMPTION_INSTRUCTION))
        why = SOFT_LEFT;
    if (why)
        atomic_store_explicit(&x->stop, why, memory_order_relaxed);
    return why != 0;
}

uint8_t *binding_pointer(struct exec *x, uint32_t index, uint32_t access, uint64_t *length)
{
    if (index >= x->command->binding_count)
        return NULL;
    const isle_binding *b = &x->bindings[index];
    if (b->access == ISLE_ACCESS_PROGRAM || (b->access & access) != access)
        return NULL;
    *length = b->length;
    return memory_held(x->device, b->object)->pointer + b->offset;
}

static int run_ops(struct exec *x)
{
    const uint8_t *at = (const uint8_t *)(x->bindings + x->command->binding_count);
    for (uint32_t i = 0; i < x->command->op_count; i++) {
        const isle_op *op = (const void *)at;
        int rc = IO_NOT_SUPPORTED;
        if (i && told_to_leave(x, PREEMPTION_DRAW_DISPATCH))
            rc = SOFT_LEFT;
        else if (op->flags)
            rc = -EINVAL;
        else if (op->code == ISLE_OP_COPY)
            rc = op->length == sizeof(isle_op_copy) ? run_copy(x, (const void *)at) : -EINVAL;
        else if (op->code == ISLE_OP_FILL)
            rc = op->length == sizeof(isle_op_fill) ? run_fill(x, (const void *)at) : -EINVAL;
        else if (op->code == ISLE_OP_DISPATCH)
            rc = op->length >= sizeof(isle_op_dispatch) ? run_dispatch(x, (const void *)at) : -EINVAL;
        if (!rc)
            rc = atomic_load_explicit(&x->stop, memory_order_relaxed);
        if (rc)
            return rc;
        at += op->length;
    }
    return 0;
}

/* Reading the thread's CPU clock is a system call: worth it only where work can be long. */
static bool is_light(const struct exec *x)
{
    const uint8_t *at = (const uint8_t *)(x->bindings + x->command->binding_count);
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < x->command->op_count; i++) {
        const isle_op *op = (const void *)at;
        const isle_op_dispatch *d = (const void *)at;
        if (op->code == ISLE_OP_DISPATCH && (d->program >= x->command->binding_count || !program_is_noop(x->bindings[d->program].object)))
            return false;
        if (op->code == ISLE_OP_COPY && op->length == sizeof(isle_op_copy))
            bytes += ((const isle_op_copy *)(const void *)at)->bytes;
        if (op->code == ISLE_OP_FILL && op->length == sizeof(isle_op_fill))
            bytes += ((const isle_op_fill *)(const void *)at)->bytes;
        at += op->length;
    }
    return bytes <= LIGHT_BYTES;
}

int exec_sleep(struct exec *x, uint64_t ns)
{
    uint64_t begun = soft_now(), until = ns < UINT64_MAX - begun ? begun + ns : UINT64_MAX;
    while (!exec_stopped(x)) {
        uint64_t now = soft_now();
        if (ns && now >= until)
            return 0;
        uint64_t step = ns && until - now < 1000000 ? until - now : 1000000;
        nanosleep(&(struct timespec){.tv_nsec = (long)step}, NULL);
    }
    return atomic_load(&x->stop);
}

static uint64_t busy_of(struct worker *w, bool light, uint64_t cpu_before, uint64_t elapsed)
{
    if (light && elapsed < LIGHT_NS)
        return elapsed;
    uint64_t cpu = thread_cpu_ns();
    uint64_t busy = cpu - (light ? w->cpu_anchor_ns : cpu_before);
    w->cpu_anchor_ns = cpu;
    return light && busy > elapsed ? elapsed : busy;
}

/* The work is done: whether it had been told to leave, because its time was up, before it came to this boundary. */
static int at_boundary(const struct exec *x)
{
    if (!told_to_leave(x, PREEMPTION_COMMAND_BUFFER) || atomic_load(&x->context->leave_reason) != PREEMPT_EXECUTION_TIMEOUT)
        return 0;
    return x->device->settings.preemption == PREEMPTION_COMMAND_BUFFER ? -ETIMEDOUT : SOFT_LEFT;
}

/* Makes work take as long as it would at the device's clock. */
static int slow_down(struct exec *x, uint64_t elapsed, uint64_t *slept)
{
    struct worker *w = x->worker;
    model_step(x->device, soft_now()); /* what held the clock down may be over, and nobody has looked since */
    w->slow_ns += model_stretch(x->device, elapsed);
    if (w->slow_ns < SLOW_NS)
        return 0;
    uint64_t before = soft_now();
    int rc = exec_sleep(x, w->slow_ns);
    *slept = soft_now() - before;
    w->slow_ns = 0;
    return rc;
}

/* For what can be long: the core may want it off the engine. */
static void begin(struct exec *x, const isle_completion *done)
{
    const isle_core *core = x->device->core;
    atomic_store_explicit(&x->context->running_since_ns, done->start_ns, memory_order_relaxed);
    atomic_store_explicit(&x->context->running, x->position + 1, memory_order_release);
    if (x->device->tells_starts)
        core->started(core->core, done->tag, done->start_ns);
}

static void run_live(struct exec *x, struct work *w, isle_completion *done)
{
    struct fault fault = {0};
    if (atomic_load_explicit(&x->device->faults_armed, memory_order_relaxed))
        fault = faults_take(x->device);
    bool light = !fault.kind && is_light(x);
    uint64_t cpu = light ? 0 : thread_cpu_ns(), slept = 0;
    if (!light)
        begin(x, done);
    int rc = atomic_load_explicit(&x->context->faulted, memory_order_relaxed) ? -EIO : fault.kind ? fault_meet(x, &fault) : 0;
    if (!rc)
        rc = pages_touch(x);
    if (!rc && fault.kind != ISLE_FAULT_PARTIAL_ERROR)
        rc = run_ops(x);
    done->end_ns = soft_now();
    if (!rc && atomic_load_explicit(&x->device->clock_mhz, memory_order_relaxed) < SOFT_FULL_MHZ) {
        rc = slow_down(x, done->end_ns - done->start_ns, &slept);
        done->end_ns += slept;
    }
    if (!rc && !light)
        rc = at_boundary(x);
    if (!light)
        atomic_store_explicit(&x->context->running, 0, memory_order_relaxed);
    uint64_t own = busy_of(x->worker, light, cpu, done->end_ns - slept - done->start_ns) + slept;
    atomic_fetch_add_explicit(&x->worker->busy_ns, own, memory_order_relaxed);
    model_step(x->device, done->end_ns);
    done->busy_ns = own + atomic_load(&x->helper_busy_ns);
    done->status = work_status(&x->context->counters, rc);
    done->detail = rc != SOFT_LEFT                                                              ? rc
                   : atomic_load(&x->context->leave_reason) == PREEMPT_EXECUTION_TIMEOUT ? -ETIMEDOUT
                                                                                                : 0;
    if (!rc && fault.kind == ISLE_FAULT_PARTIAL_ERROR) {
        done->status = ACCEL_COMPLETION_PARTIAL_ERROR;
        done->detail = (int32_t)(x->command->op_count ? x->command->op_count : 1);
    }
    work_finish(x, w, done, fault.kind == ISLE_FAULT_LOST_COMPLETION);
}

void run_work(struct worker *worker, struct context *c, uint64_t position)
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
        done.status = work_status(&c->counters, SOFT_LEFT);
        done.detail = -EAGAIN;
        work_finish(&x, w, &done, false);
    } else {
        run_live(&x, w, &done);
    }
}
