/* How a submission ends: what is counted, what becomes free, and who is told. */
#include "finish.h"

#include <errno.h>
#include <stdlib.h>

#include "bindings.h"

uint32_t work_status(struct counters *n, int rc)
{
    _Atomic uint64_t *which = rc == 0            ? &n->completed
                              : rc == -ETIMEDOUT ? &n->timeouts
                              : rc == SOFT_LEFT  ? &n->preempted
                                                 : &n->errors;
    atomic_store_explicit(which, atomic_load_explicit(which, memory_order_relaxed) + 1, memory_order_relaxed);
    return rc == 0            ? ACCEL_COMPLETION_SUCCESS
           : rc == -ETIMEDOUT ? ACCEL_COMPLETION_TIMEOUT
           : rc == SOFT_LEFT  ? ACCEL_COMPLETION_PREEMPTED
                              : ACCEL_COMPLETION_ERROR;
}

static void add(_Atomic uint64_t *to, uint64_t n)
{
    if (n)
        atomic_store_explicit(to, atomic_load_explicit(to, memory_order_relaxed) + n, memory_order_relaxed);
}

static void lose(struct context *c, uint64_t tag)
{
    struct lost *l = malloc(sizeof *l);
    if (!l)
        return;
    l->tag = tag;
    pthread_mutex_lock(&c->lost_lock);
    l->next = c->lost;
    c->lost = l;
    pthread_mutex_unlock(&c->lost_lock);
}

void work_finish(struct exec *x, struct work *w, isle_completion *done, bool lost)
{
    struct counters *n = &x->context->counters;
    add(&n->bytes_read, x->did.bytes_read);
    add(&n->bytes_written, x->did.bytes_written);
    add(&n->kernels, x->did.kernels);
    add(&n->cpu_ns, x->cpu_ns);
    add(&n->blocks, x->did.blocks);
    add(&n->page_faults, x->page_faults);
    add(&n->execution_ns, done->end_ns - done->start_ns);
    add(&x->worker->bytes_moved, x->did.bytes_read + x->did.bytes_written);
    x->worker->last_end_ns = done->end_ns;
    release_bindings(x->device, w->command);
    atomic_store_explicit(&w->result, (x->position + 1) << 8 | (lost ? RESULT_LOST : done->status), memory_order_release);
    if (lost)
        lose(x->context, done->tag);
    else
        x->device->core->complete(x->device->core->core, done);
}
