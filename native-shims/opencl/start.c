/* Kernels of a submission: their arguments, and what they may reach. They have been checked. */
#define _GNU_SOURCE
#include "start.h"

#include <errno.h>
#include <stdlib.h>

#include "errors.h"
#include "events.h"
#include "handles.h"
#include "programs.h"

/* A launch has what it says, a dispatch the size that its kernel requires, in as many dimensions as it needs. */
static void read_range(const isle_op *op, const isle_kernel *told, struct start *out)
{
    const isle_op_dispatch *d = (const void *)op;
    const isle_op_launch *l = (const void *)op;
    const bool launch = op->code == ISLE_OP_LAUNCH, chosen = launch && l->local[0];
    out->dimensions = launch ? l->dimensions : told->group_size[0] || d->z > 1 ? 3 : d->y > 1 ? 2 : 1;
    for (uint32_t i = 0; i < 3; i++) {
        out->size[i] = launch ? l->size[i] : i == 0 ? d->x : i == 1 ? d->y : d->z;
        out->offset[i] = launch ? l->offset[i] : 0;
        out->local[i] = chosen ? (l->local[i] ? l->local[i] : 1) : told->group_size[i];
    }
}

bool start_read(const struct issue *x, const isle_op *op, struct start *out)
{
    const isle_op_dispatch *d = (const void *)op;
    const isle_op_launch *l = (const void *)op;
    const bool launch = op->code == ISLE_OP_LAUNCH;
    const uint32_t program = launch ? l->program : d->program, entry = launch ? l->entry : d->entry;
    *out = (struct start){.arg_count = launch ? l->arg_count : d->arg_count, .args = launch ? l->args : d->args};
    if (out->arg_count > (launch ? ISLE_LAUNCH_ARGS : OPENCL_DISPATCH_ARGS))
        return false;
    uint64_t length = (launch ? sizeof *l : sizeof *d) + out->arg_count * sizeof *out->args;
    if (launch) {
        out->tail = (const uint8_t *)op + length;
        out->tail_bytes = l->tail_bytes;
        length += ((uint64_t)l->tail_bytes + 7) & ~7ull;
    }
    if (op->length != length || program >= x->command->binding_count || x->bindings[program].access != ISLE_ACCESS_PROGRAM)
        return false;
    const struct program *p = &object_held(x->device, x->bindings[program].object)->program;
    bool builtin = p->builtin != BUILTIN_NONE;
    if (entry >= (builtin ? 1 : launch ? p->count : p->dispatches))
        return false;
    out->program = p;
    out->kernel = builtin ? NULL : &p->entries[entry];
    out->told = builtin ? &opencl_builtins[p->builtin] : out->kernel->told;
    read_range(op, out->told, out);
    return true;
}

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

static IoResultCode set_argument(struct issue *x, const struct start *t, uint32_t index)
{
    const struct cl_api *cl = x->device->cl;
    const isle_arg *a = &t->args[index];
    cl_kernel kernel = t->kernel->kernel;
    switch (a->kind) {
    case ISLE_ARG_BUFFER:
        break;
    case ISLE_ARG_LOCAL:
        return cl_result(x->device, cl->SetKernelArg(kernel, index, a->value, NULL));
    case ISLE_ARG_BYTES:
        return cl_result(x->device, cl->SetKernelArg(kernel, index, a->value, t->tail + a->binding));
    default:
        return cl_result(x->device, cl->SetKernelArg(kernel, index, t->told->args[index].bytes, &a->value));
    }
    if (x->context->svm) {
        const uint8_t *at = memory_at(x, a->binding)->backing.svm + x->bindings[a->binding].offset;
        return cl_result(x->device, cl->SetKernelArgSVMPointer(kernel, index, at));
    }
    cl_mem buffer;
    IoResultCode rc = buffer_of(x, a->binding, &buffer);
    return rc ? rc : cl_result(x->device, cl->SetKernelArg(kernel, index, sizeof(cl_mem), &buffer));
}

IoResultCode start_kernel(struct issue *x, const struct start *t)
{
    const struct cl_api *cl = x->device->cl;
    struct context *c = x->context;
    cl_kernel kernel = t->kernel->kernel;
    IoResultCode rc = 0;
    for (uint32_t i = 0; i < t->arg_count && !rc; i++)
        rc = set_argument(x, t, i);
    if (!rc && c->svm) /* an empty list, too: the kernel keeps the one of before, whose memory may be gone */
        rc = cl_result(x->device, cl->SetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, x->reachable * sizeof *c->reachable,
                                                        x->reachable ? (const void *)c->reachable : NULL));
    if (rc)
        return rc;
    cl_event *event = next_event(x);
    if (!event)
        return -ENOMEM;
    return enqueued(x, cl->EnqueueNDRangeKernel(c->queue, kernel, t->dimensions, t->offset[0] | t->offset[1] | t->offset[2] ? t->offset : NULL,
                                                t->size, t->local[0] ? t->local : NULL, 0, NULL, event));
}
