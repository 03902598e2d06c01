#include "soft.h"

#include <errno.h>
#include <string.h>

struct view {
    const isle_binding *bindings;
    const uint8_t *ops;
    uint64_t ops_left;
};

static bool split(const uint8_t *command, uint32_t length, struct view *v)
{
    const isle_command *h = (const void *)command;
    uint64_t waits = (uint64_t)h->wait_count * sizeof(isle_wait);
    uint64_t bindings = (uint64_t)h->binding_count * sizeof(isle_binding);
    if (h->magic != ISLE_COMMAND_MAGIC || h->version != ISLE_COMMAND_VERSION || h->header_size != sizeof *h ||
        h->total_length != length || waits + bindings > length - sizeof *h)
        return false;
    v->bindings = (const void *)(command + sizeof *h + waits);
    v->ops = command + sizeof *h + waits + bindings;
    v->ops_left = length - sizeof *h - waits - bindings;
    return true;
}

static bool ops_framed(const struct view *v, uint32_t count)
{
    const uint8_t *at = v->ops;
    uint64_t left = v->ops_left;
    for (uint32_t i = 0; i < count; i++) {
        const isle_op *op = (const void *)at;
        if (left < sizeof *op || op->length < sizeof *op || (op->length & 7) || op->length > left)
            return false;
        at += op->length;
        left -= op->length;
    }
    return true;
}

void release_bindings(struct device *d, const uint8_t *command)
{
    const isle_command *h = (const void *)command;
    const isle_binding *b = (const void *)(command + sizeof *h + h->wait_count * sizeof(isle_wait));
    for (uint32_t i = 0; i < h->binding_count; i++) {
        if (b[i].access != ISLE_ACCESS_PROGRAM)
            atomic_fetch_sub(&memory_held(d, b[i].object)->users, 1);
    }
}

static IoResultCode hold_memory(struct device *d, const isle_binding *b, AccelContextHandle context)
{
    struct memory *m = memory_of(d, b->object);
    if (!m)
        return -ESTALE;
    atomic_fetch_add(&m->users, 1);
    IoResultCode rc = atomic_load(&m->handle) != b->object                         ? -ESTALE
                      : m->context != context                                      ? -EACCES
                      : b->offset > m->size || b->length > m->size - b->offset     ? -EINVAL
                      : !b->access || (b->access & ~(ISLE_ACCESS_READ | ISLE_ACCESS_WRITE)) ? -EINVAL
                                                                                   : 0;
    if (rc)
        atomic_fetch_sub(&m->users, 1);
    return rc;
}

static IoResultCode hold(struct device *d, const struct view *v, uint32_t count, AccelContextHandle context)
{
    IoResultCode rc = 0;
    uint32_t i = 0;
    for (; i < count && !rc; i++) {
        const isle_binding *b = &v->bindings[i];
        if (b->access == ISLE_ACCESS_PROGRAM)
            rc = program_belongs(b->object, context) ? 0 : -EACCES;
        else
            rc = hold_memory(d, b, context);
    }
    if (!rc)
        return 0;
    for (i--; i-- > 0;) /* the one that failed holds nothing */
        if (v->bindings[i].access != ISLE_ACCESS_PROGRAM)
            atomic_fetch_sub(&memory_held(d, v->bindings[i].object)->users, 1);
    return rc;
}

void context_schedule(struct device *d, struct context *c)
{
    if (atomic_load(&c->scheduled) || atomic_exchange(&c->scheduled, 1))
        return;
    ready_push(&d->ready[c->priority], c->index);
    workers_wake(d);
}

IoResultCode soft_submit(void *ctx, AccelContextHandle context, const uint8_t *cmd_buffer, uint32_t cmd_len, const AccelFence *fences,
                         uint32_t fence_count, AccelSubmissionHandle *out_submission)
{
    struct device *d = ctx;
    struct context *c = context_of(d, context);
    struct view v;
    (void)fences;
    if (!c)
        return -ESTALE;
    if (fence_count)
        return IO_NOT_SUPPORTED; /* waits are the core's */
    if (cmd_len > d->settings.max_cmd_buffer_size)
        return -E2BIG;
    if (!cmd_buffer || !out_submission || cmd_len < sizeof(isle_command) || ((uintptr_t)cmd_buffer & 7) ||
        !split(cmd_buffer, cmd_len, &v))
        return -EINVAL;
    const isle_command *h = (const void *)cmd_buffer;
    if (!ops_framed(&v, h->op_count))
        return -EINVAL;
    uint64_t position = atomic_load_explicit(&c->tail, memory_order_relaxed);
    if (position - c->seen_head >= SOFT_QUEUE) {
        c->seen_head = atomic_load_explicit(&c->head, memory_order_acquire);
        if (position - c->seen_head >= SOFT_QUEUE)
            return -EAGAIN;
    }
    IoResultCode rc = hold(d, &v, h->binding_count, context);
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
