/* The operations of a submission. They have been checked: ranges lie in their bindings, arguments fit their kernels. */
#define _GNU_SOURCE
#include "enqueue.h"

#include <errno.h>

#include "backing.h"
#include "errors.h"
#include "events.h"
#include "start.h"

static IoResultCode fill_with(struct issue *x, const struct backing *b, const void *pattern, size_t pattern_size, uint64_t offset, uint64_t bytes)
{
    cl_event *event = bytes ? next_event(x) : NULL;
    if (!bytes)
        return 0;
    if (!event)
        return -ENOMEM;
    return enqueued(x, backing_fill(x->device, x->context->queue, b, pattern, pattern_size, offset, bytes, event));
}

/* OpenCL fills whole patterns on their boundaries: the bytes before and behind these are filled one at a time. */
static IoResultCode fill(struct issue *x, const struct backing *b, uint64_t offset, uint64_t bytes, uint32_t pattern)
{
    uint64_t done = 0;
    IoResultCode rc = 0;
    for (; !rc && done < bytes && (offset + done) % 4; done++)
        rc = fill_with(x, b, &(uint8_t){(uint8_t)(pattern >> 8 * (done & 3))}, 1, offset + done, 1);
    uint32_t turn = 8 * (done & 3), turned = turn ? pattern >> turn | pattern << (32 - turn) : pattern;
    uint64_t whole = (bytes - done) & ~3ull;
    if (!rc)
        rc = fill_with(x, b, &turned, sizeof turned, offset + done, whole);
    for (done += whole; !rc && done < bytes; done++)
        rc = fill_with(x, b, &(uint8_t){(uint8_t)(pattern >> 8 * (done & 3))}, 1, offset + done, 1);
    atomic_fetch_add_explicit(&x->context->bytes_moved, bytes, memory_order_relaxed);
    return rc;
}

static IoResultCode copy_once(struct issue *x, const struct backing *dst, uint64_t to, const struct backing *src, uint64_t from,
                              uint64_t bytes)
{
    cl_event *event = next_event(x);
    if (!event)
        return -ENOMEM;
    return enqueued(x, backing_copy(x->device, x->context->queue, dst, to, src, from, bytes, event));
}

/*
 * OpenCL copies no overlapping ranges: pieces go over a buffer of the context, those first that would be overwritten. What the queue has is
 * run in order, so one buffer is enough, however many such copies wait.
 */
static IoResultCode copy_overlapping(struct issue *x, const struct backing *memory, uint64_t to, uint64_t from, uint64_t bytes)
{
    struct context *c = x->context;
    IoResultCode result = 0;
    if (!c->between.buffer && !c->between.svm)
        result = cl_result(x->device, backing_make(x->device, c->cl, c->svm, OPENCL_BETWEEN, NULL, &c->between));
    for (uint64_t done = 0, piece; done < bytes && !result; done += piece) {
        piece = bytes - done < OPENCL_BETWEEN ? bytes - done : OPENCL_BETWEEN;
        uint64_t at = to < from ? done : bytes - done - piece;
        result = copy_once(x, &c->between, 0, memory, from + at, piece);
        if (!result)
            result = copy_once(x, memory, to + at, &c->between, 0, piece);
    }
    return result;
}

static IoResultCode copy(struct issue *x, const struct backing *dst, uint64_t to, const struct backing *src, uint64_t from, uint64_t bytes)
{
    atomic_fetch_add_explicit(&x->context->bytes_moved, 2 * bytes, memory_order_relaxed);
    if (!bytes || (dst == src && to == from))
        return 0;
    if (dst == src && to < from + bytes && from < to + bytes)
        return copy_overlapping(x, dst, to, from, bytes);
    return copy_once(x, dst, to, src, from, bytes);
}

static IoResultCode builtin(struct issue *x, const struct start *t)
{
    if (t->program->builtin == BUILTIN_NOOP)
        return 0;
    const isle_binding *first = &x->bindings[t->args[0].binding];
    const struct backing *backing = &memory_at(x, t->args[0].binding)->backing;
    if (t->program->builtin == BUILTIN_FILL)
        return fill(x, backing, first->offset, first->length, (uint32_t)t->args[1].value);
    const isle_binding *second = &x->bindings[t->args[1].binding];
    return copy(x, &memory_at(x, t->args[1].binding)->backing, second->offset, backing, first->offset, first->length);
}

IoResultCode enqueue_op(struct issue *x, const isle_op *op)
{
    const isle_op_copy *c = (const void *)op;
    const isle_op_fill *f = (const void *)op;
    struct start t;
    if (op->code == ISLE_OP_COPY)
        return copy(x, &memory_at(x, c->dst)->backing, x->bindings[c->dst].offset + c->dst_offset, &memory_at(x, c->src)->backing,
                    x->bindings[c->src].offset + c->src_offset, c->bytes);
    if (op->code == ISLE_OP_FILL)
        return fill(x, &memory_at(x, f->dst)->backing, x->bindings[f->dst].offset + f->offset, f->bytes, f->pattern);
    start_read(x, op, &t);
    atomic_fetch_add_explicit(&x->context->kernels, 1, memory_order_relaxed);
    return t.kernel ? start_kernel(x, &t) : builtin(x, &t);
}

/*
 * The device's copies get what the CPU has written before the work, and the CPU sees what the device has written after it. What may be
 * written goes both ways: a kernel need not write all of it.
 */
static bool is_copied(const isle_binding *b, bool before)
{
    if (b->access == ISLE_ACCESS_PROGRAM || !b->length)
        return false;
    return before ? !(b->access & ISLE_ACCESS_NO_COPY_IN) : (b->access & ISLE_ACCESS_WRITE) && !(b->access & ISLE_ACCESS_NO_COPY_BACK);
}

IoResultCode enqueue_staging(struct issue *x, bool before)
{
    cl_command_queue queue = x->context->queue;
    for (uint32_t i = 0; i < x->command->binding_count; i++) {
        const isle_binding *b = &x->bindings[i];
        if (!is_copied(b, before))
            continue;
        struct memory *m = memory_at(x, i);
        if (!m->staged)
            continue;
        uint8_t *at = (uint8_t *)m->where.pointer + b->offset;
        cl_event *event = next_event(x);
        if (!event)
            return -ENOMEM;
        IoResultCode rc = enqueued(x, before ? backing_write(x->device, queue, &m->backing, b->offset, at, b->length, event)
                                             : backing_read(x->device, queue, &m->backing, b->offset, at, b->length, event));
        if (rc)
            return rc;
    }
    return 0;
}
