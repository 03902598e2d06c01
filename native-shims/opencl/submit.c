/* The data lane: looks at the frame of a submission, holds what it names and leaves the rest to the issuer. */
#include "submit.h"

#include <errno.h>

#include "../kit/kit.h"
#include "bindings.h"
#include "handles.h"

IoResultCode opencl_submit(void *ctx, AccelContextHandle context, const uint8_t *cmd_buffer, uint32_t cmd_len, const AccelFence *fences,
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
    if (atomic_load_explicit(&d->lost, memory_order_relaxed))
        return -ENODEV;
    uint64_t position = atomic_load_explicit(&c->tail, memory_order_relaxed);
    struct work *w = &c->ring[position % OPENCL_QUEUE];
    if (atomic_load_explicit(&w->state, memory_order_acquire) != WORK_FREE)
        return -EAGAIN;
    rc = hold_bindings(d, e.bindings, e.command->binding_count, context);
    if (rc)
        return rc;
    w->command = cmd_buffer;
    w->length = cmd_len;
    w->tag = e.command->tag;
    w->position = position;
    w->code = 0;
    w->event_count = w->part_count = 0;
    atomic_store_explicit(&w->refs, 1, memory_order_relaxed);
    *out_submission = (uint64_t)(c->index + 1) << 48 | ((position + 1) & 0xffffffffffff);
    atomic_fetch_add(&c->in_flight, 1);
    atomic_store_explicit(&w->state, WORK_QUEUED, memory_order_release);
    atomic_store_explicit(&c->tail, position + 1, memory_order_release);
    sem_post(&c->ready);
    return 0;
}

IoResultCode opencl_poll(void *ctx, AccelSubmissionHandle submission, AccelCompletionStatus *out_status)
{
    struct device *d = ctx;
    uint32_t index = (uint32_t)(submission >> 48) - 1;
    uint64_t position = (submission & 0xffffffffffff) - 1;
    struct context *c = index < d->settings.max_contexts ? atomic_load(&d->contexts[index]) : NULL;
    if (!out_status)
        return -EINVAL;
    if (!c || position >= atomic_load_explicit(&c->tail, memory_order_acquire))
        return -ESTALE;
    const struct work *w = &c->ring[position % OPENCL_QUEUE];
    uint64_t result = atomic_load_explicit(&w->result, memory_order_acquire);
    if (result >> 8 != position + 1)
        return atomic_load(&c->tail) - position > OPENCL_QUEUE || result >> 8 > position + 1 ? -ESTALE : -EINPROGRESS;
    *out_status = (AccelCompletionStatus)(result & 0xff);
    return 0;
}
