#include "submit.h"

#include <errno.h>

#include "../kit/kit.h"
#include "bindings.h"
#include "clock.h"
#include "handles.h"
#include "ready.h"

void context_schedule(struct device *d, struct context *c)
{
    if (atomic_load(&c->scheduled) || atomic_exchange(&c->scheduled, 1))
        return;
    uint64_t since = atomic_load_explicit(&c->idle_since_ns, memory_order_relaxed), now = soft_now();
    if (now > since)
        atomic_fetch_add_explicit(&c->idle_ns, now - since, memory_order_relaxed);
    ready_push(&d->ready[c->priority], c->index);
    ready_wake(d);
}

IoResultCode soft_submit(void *ctx, AccelContextHandle context, const uint8_t *cmd_buffer, uint32_t cmd_len, const AccelFence *fences,
                         uint32_t fence_count, AccelSubmissionHandle *out_submission)
{
    struct device *d = ctx;
    struct context *c = context_of(d, context);
    struct kit_envelope e;
    (void)fences;
    if (!c)
        return -ESTALE;
    if (fence_count)
        return IO_NOT_SUPPORTED; /* waits are the core's */
    IoResultCode rc = out_submission ? kit_envelope(cmd_buffer, cmd_len, d->settings.max_cmd_buffer_size, &e) : -EINVAL;
    if (rc)
        return rc;
    uint64_t position = atomic_load_explicit(&c->tail, memory_order_relaxed);
    if (position - c->seen_head >= SOFT_QUEUE) {
        c->seen_head = atomic_load_explicit(&c->head, memory_order_acquire);
        if (position - c->seen_head >= SOFT_QUEUE)
            return -EAGAIN;
    }
    rc = hold_bindings(d, &e, context);
    if (rc)
        return rc;
    struct work *w = &c->queue[position % SOFT_QUEUE];
    w->command = cmd_buffer;
    w->length = cmd_len;
    w->context = context;
    *out_submission = (uint64_t)(c->index + 1) << 48 | ((position + 1) & 0xffffffffffff);
    atomic_store(&c->tail, position + 1); /* sequentially consistent: the worker clears `scheduled`, then looks at the tail */
    context_schedule(d, c);
    return 0;
}

IoResultCode soft_poll(void *ctx, AccelSubmissionHandle submission, AccelCompletionStatus *out_status)
{
    struct device *d = ctx;
    uint32_t index = (uint32_t)(submission >> 48) - 1;
    uint64_t position = (submission & 0xffffffffffff) - 1;
    struct context *c = index < d->settings.max_contexts ? atomic_load(&d->contexts[index]) : NULL;
    if (!out_status)
        return -EINVAL;
    if (!c || position >= atomic_load_explicit(&c->tail, memory_order_acquire))
        return -ESTALE;
    if (position >= atomic_load_explicit(&c->head, memory_order_acquire))
        return -EINPROGRESS;
    uint64_t result = atomic_load_explicit(&c->queue[position % SOFT_QUEUE].result, memory_order_acquire);
    if (result >> 8 != position + 1)
        return -ESTALE;
    if ((result & 0xff) == RESULT_LOST)
        return -EINPROGRESS;
    *out_status = (AccelCompletionStatus)(result & 0xff);
    return 0;
}
