/* HPUs of contexts: core ids become the driver's handles, and all that is named must be the context's. */
#include <errno.h>

#include "control.h"

IoResultCode control_hpu_caps(struct call *c)
{
    isle_rt *rt = c->rt;
    return rt->hpu_vt.caps ? rt->hpu_vt.caps(rt->device, (isle_hpu_caps *)(void *)c->out) : IO_NOT_SUPPORTED;
}

static IoResultCode owned(struct table *t, uint64_t id, uint64_t context, uint64_t *handle)
{
    struct object_view view;
    IoResultCode rc = table_get(t, id, &view);
    if (!rc && view.owner != context)
        rc = -EACCES;
    if (!rc)
        *handle = view.handle;
    return rc;
}

static IoResultCode attach(isle_rt *rt, const isle_hpu_attach_request *q, char *why)
{
    AccelMemHandle memories[ISLE_HPU_MEMORIES] = {0};
    struct object_view context;
    uint64_t program = 0;
    if (!rt->hpu_vt.attach)
        return IO_NOT_SUPPORTED;
    IoResultCode rc = table_get(&rt->contexts, q->context, &context);
    if (!rc)
        rc = owned(&rt->programs, q->program, q->context, &program);
    for (uint32_t i = 0; !rc && i < ISLE_HPU_MEMORIES; i++)
        if (q->memories[i])
            rc = owned(&rt->memories, q->memories[i], q->context, &memories[i]);
    return rc ? rc : rt->hpu_vt.attach(rt->device, context.handle, program, memories, &q->limits, why, ISLE_HPU_WHY);
}

IoResultCode control_hpu_attach(struct call *c)
{
    isle_hpu_attach_request q;
    char why[ISLE_HPU_WHY] = "";
    memcpy(&q, c->body, sizeof q);
    IoResultCode rc = attach(c->rt, &q, why);
    if (rc < 0) {
        c->out_length = (uint32_t)strnlen(why, sizeof why);
        memcpy(c->out, why, c->out_length);
    }
    return rc;
}

IoResultCode control_hpu_detach(struct call *c)
{
    isle_rt *rt = c->rt;
    struct object_view view;
    if (!rt->hpu_vt.detach)
        return IO_NOT_SUPPORTED;
    IoResultCode rc = table_get(&rt->contexts, call_u64(c), &view);
    return rc ? rc : rt->hpu_vt.detach(rt->device, view.handle);
}

IoResultCode control_hpu_report(struct call *c)
{
    isle_rt *rt = c->rt;
    struct object_view view;
    if (!rt->hpu_vt.report)
        return IO_NOT_SUPPORTED;
    IoResultCode rc = table_get(&rt->contexts, call_u64(c), &view);
    return rc ? rc : rt->hpu_vt.report(rt->device, view.handle, (isle_hpu_report *)(void *)c->out);
}
