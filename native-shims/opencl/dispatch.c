/* Kernels of a submission: their arguments, and what they may reach. They have been checked. */
#define _GNU_SOURCE
#include "dispatch.h"

#include <errno.h>
#include <stdlib.h>

#include "errors.h"
#include "events.h"

/* What the submission binds, and nothing else: a kernel may follow pointers to it, whether it is an argument or not. */
IoResultCode list_reachable(struct issue *x)
{
    struct context *c = x->context;
    uint32_t most = x->command->binding_count;
    if (most > c->reachable_room) {
        const void **more = realloc((void *)c->reachable, most * sizeof *more);
        if (!more)
            return -ENOMEM;
        c->reachable = more;
        c->reachable_room = most;
    }
    x->reachable = 0;
    for (uint32_t i = 0; i < most; i++)
        if (x->bindings[i].access != ISLE_ACCESS_PROGRAM)
            c->reachable[x->reachable++] = memory_at(x, i)->backing.svm;
    return 0;
}

/* The buffer itself, or the part of it from the binding's offset on. */
static IoResultCode buffer_of(struct issue *x, uint32_t binding, cl_mem *out)
{
    const isle_binding *b = &x->bindings[binding];
    cl_mem whole = memory_at(x, binding)->backing.buffer;
    *out = whole;
    if (!b->offset)
        return 0;
    cl_int rc;
    const cl_buffer_region region = {b->offset, b->length};
    cl_mem part = x->device->cl->CreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &rc);
    if (rc)
        return cl_result(x->device, rc);
    if (!keep_part(x, part)) {
        x->device->cl->ReleaseMemObject(part);
        return -ENOMEM;
    }
    *out = part;
    return 0;
}

static IoResultCode set_argument(struct issue *x, const struct entry *e, uint32_t index, const isle_arg *a)
{
    const struct cl_api *cl = x->device->cl;
    if (a->kind != ISLE_ARG_BUFFER)
        return cl_result(x->device, cl->SetKernelArg(e->kernel, index, e->arg_bytes[index], &a->value));
    if (x->context->svm) {
        const uint8_t *at = memory_at(x, a->binding)->backing.svm + x->bindings[a->binding].offset;
        return cl_result(x->device, cl->SetKernelArgSVMPointer(e->kernel, index, at));
    }
    cl_mem buffer;
    IoResultCode rc = buffer_of(x, a->binding, &buffer);
    return rc ? rc : cl_result(x->device, cl->SetKernelArg(e->kernel, index, sizeof(cl_mem), &buffer));
}

IoResultCode dispatch_kernel(struct issue *x, const struct entry *e, const isle_op_dispatch *op)
{
    const struct cl_api *cl = x->device->cl;
    struct context *c = x->context;
    IoResultCode rc = 0;
    for (uint32_t i = 0; i < op->arg_count && !rc; i++)
        rc = set_argument(x, e, i, &op->args[i]);
    if (!rc && c->svm) /* an empty list, too: the kernel keeps the one of before, whose memory may be gone */
        rc = cl_result(x->device, cl->SetKernelExecInfo(e->kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, x->reachable * sizeof *c->reachable,
                                                        x->reachable ? (const void *)c->reachable : NULL));
    if (rc)
        return rc;
    const size_t global[3] = {op->x, op->y, op->z};
    cl_uint dimensions = e->local[0] ? 3 : op->z > 1 ? 3 : op->y > 1 ? 2 : 1;
    cl_event *event = next_event(x);
    if (!event)
        return -ENOMEM;
    return enqueued(x, cl->EnqueueNDRangeKernel(c->queue, e->kernel, dimensions, NULL, global, e->local[0] ? e->local : NULL, 0, NULL,
                                                event));
}
