/* The queue: work in order, from submission to completion. */
#include "demo.h"

const isle_binding *bindings_of(const uint8_t *command)
{
    const isle_command *h = (const void *)command;
    return (const void *)(command + sizeof *h + h->wait_count * sizeof(isle_wait));
}

/* Releases the memory before the call of complete: the command no longer belongs to the driver after this call. */
static void finish(struct device *d, const uint8_t *command, int code, uint64_t start, uint64_t end)
{
    const isle_command *h = (const void *)command;
    const isle_binding *b = bindings_of(command);
    isle_completion done = {.tag = h->tag,
                            .status = code ? ACCEL_COMPLETION_ERROR : ACCEL_COMPLETION_SUCCESS,
                            .detail = code,
                            .start_ns = start,
                            .end_ns = end,
                            .busy_ns = end - start};
    for (uint32_t i = 0; i < h->binding_count; i++)
        if (b[i].access != ISLE_ACCESS_PROGRAM)
            memory_release(d, b[i].object);
    d->core->complete(d->core->core, &done);
}

static void work_at(struct device *d, uint64_t position)
{
    struct work *w = &d->queue[position % QUEUE];
    uint64_t queued = position << 2 | QUEUED;
    if (!atomic_compare_exchange_strong(&w->word, &queued, position << 2 | RUNNING))
        return; /* the work was cancelled */
    const uint8_t *command = atomic_load(&w->command);
    uint64_t start = now_ns();
    if (ISLE_CORE_HAS(d->core, started))
        d->core->started(d->core->core, ((const isle_command *)(const void *)command)->tag, start);
    int code = run_command(d, position, command);
    uint64_t end = now_ns();
    atomic_fetch_add(&d->busy_ns, end - start);
    finish(d, command, code, start, end);
    atomic_store(&w->word, position << 2 | TAKEN);
}

void *queue_worker(void *device)
{
    struct device *d = device;
    while (!atomic_load(&d->ending)) {
        while (sem_wait(&d->wake) && errno == EINTR)
            continue;
        for (uint64_t p = atomic_load(&d->head); p < atomic_load(&d->tail); p++) {
            work_at(d, p);
            atomic_store(&d->head, p + 1);
        }
    }
    return NULL;
}

/* Data lane: never waits. The core keeps the command unchanged until its completion. */
IoResultCode submit_commands(void *ctx, AccelContextHandle context, const uint8_t *command, uint32_t length, const AccelFence *fences,
                             uint32_t fence_count, AccelSubmissionHandle *out)
{
    struct device *d = ctx;
    const isle_command *h = (const void *)command;
    const isle_binding *b = bindings_of(command);
    uint64_t position = atomic_load(&d->tail);
    (void)fences, (void)length;
    if (fence_count)
        return IO_NOT_SUPPORTED; /* the core resolves waits before the submission */
    if (!context_of(d, context))
        return -ESTALE;
    if (position - atomic_load(&d->head) >= QUEUE)
        return -EAGAIN;
    for (uint32_t i = 0; i < h->binding_count; i++) {
        if (b[i].access == ISLE_ACCESS_PROGRAM || memory_hold(d, b[i].object))
            continue;
        while (i-- > 0)
            if (b[i].access != ISLE_ACCESS_PROGRAM)
                memory_release(d, b[i].object);
        return -ESTALE;
    }
    struct work *w = &d->queue[position % QUEUE];
    atomic_store(&w->command, command);
    atomic_store(&w->context, context);
    atomic_store(&w->word, position << 2 | QUEUED);
    *out = position + 1;
    atomic_store(&d->tail, position + 1);
    sem_post(&d->wake);
    return 0;
}

/* Never called: this driver calls complete itself (ISLE_DRIVER_COMPLETES). */
IoResultCode poll_completion(void *ctx, AccelSubmissionHandle submission, AccelCompletionStatus *out)
{
    (void)ctx, (void)submission, (void)out;
    return IO_NOT_SUPPORTED;
}

void queue_cancel(struct device *d, AccelContextHandle context, int code)
{
    uint64_t end = atomic_load(&d->tail);
    for (uint64_t p = atomic_load(&d->head); p < end; p++) {
        struct work *w = &d->queue[p % QUEUE];
        const uint8_t *command = atomic_load(&w->command);
        uint64_t word = p << 2 | QUEUED;
        if (context && atomic_load(&w->context) != context)
            continue;
        if (atomic_compare_exchange_strong(&w->word, &word, p << 2 | TAKEN)) {
            uint64_t now = now_ns();
            finish(d, command, code, now, now);
            continue;
        }
        atomic_store(&d->stop_code, code);
        atomic_store(&d->stop, p + 1);
        while (atomic_load(&w->word) == (p << 2 | RUNNING))
            nap();
    }
}
