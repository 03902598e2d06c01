/*
 * Memory on the device, as a buffer object or as coarse-grained shared virtual memory. The latter is never mapped: the commands that copy
 * it take any pointer of this process for the other side, and are done in the order of their queue.
 */
#include "backing.h"

cl_int backing_make(struct device *d, cl_context context, bool svm, uint64_t size, void *host, struct backing *out)
{
    cl_int rc = CL_SUCCESS;
    *out = (struct backing){0};
    if (!svm)
        out->buffer = d->cl->CreateBuffer(context, CL_MEM_READ_WRITE | (host ? CL_MEM_USE_HOST_PTR : 0), size, host, &rc);
    else if (!(out->svm = d->cl->SVMAlloc(context, CL_MEM_READ_WRITE, size, 0)))
        rc = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    return rc;
}

void backing_free(struct device *d, cl_context context, struct backing *b)
{
    if (b->buffer)
        d->cl->ReleaseMemObject(b->buffer);
    if (b->svm)
        d->cl->SVMFree(context, b->svm);
    *b = (struct backing){0};
}

cl_int backing_fill(struct device *d, cl_command_queue queue, const struct backing *b, const void *pattern, size_t pattern_size,
                    uint64_t offset, uint64_t bytes, cl_event *event)
{
    if (b->svm)
        return d->cl->EnqueueSVMMemFill(queue, b->svm + offset, pattern, pattern_size, bytes, 0, NULL, event);
    return d->cl->EnqueueFillBuffer(queue, b->buffer, pattern, pattern_size, offset, bytes, 0, NULL, event);
}

/* Both are of one context, and so of one kind. */
cl_int backing_copy(struct device *d, cl_command_queue queue, const struct backing *dst, uint64_t to, const struct backing *src,
                    uint64_t from, uint64_t bytes, cl_event *event)
{
    if (dst->svm)
        return d->cl->EnqueueSVMMemcpy(queue, CL_FALSE, dst->svm + to, src->svm + from, bytes, 0, NULL, event);
    return d->cl->EnqueueCopyBuffer(queue, src->buffer, dst->buffer, from, to, bytes, 0, NULL, event);
}

cl_int backing_write(struct device *d, cl_command_queue queue, const struct backing *b, uint64_t offset, const void *from, uint64_t bytes,
                     cl_event *event)
{
    if (b->svm)
        return d->cl->EnqueueSVMMemcpy(queue, CL_FALSE, b->svm + offset, from, bytes, 0, NULL, event);
    return d->cl->EnqueueWriteBuffer(queue, b->buffer, CL_FALSE, offset, bytes, from, 0, NULL, event);
}

cl_int backing_read(struct device *d, cl_command_queue queue, const struct backing *b, uint64_t offset, void *to, uint64_t bytes,
                    cl_event *event)
{
    if (b->svm)
        return d->cl->EnqueueSVMMemcpy(queue, CL_FALSE, to, b->svm + offset, bytes, 0, NULL, event);
    return d->cl->EnqueueReadBuffer(queue, b->buffer, CL_FALSE, offset, bytes, to, 0, NULL, event);
}
