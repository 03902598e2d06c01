/*
 * Whether a buffer over memory of the CPU is that memory for the device too. OpenCL promises so only while a buffer is mapped; so it is
 * tried, in both directions, and only devices of other types than CPUs get copies without a try.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "opencl.h"

struct trial {
    cl_context context;
    cl_command_queue queue;
    cl_mem ours, theirs;
    uint8_t *page;
};

static bool seen_both_ways(struct device *d, struct trial *t)
{
    const struct cl_api *cl = d->cl;
    const cl_uint word = 0x5ac3a53cu;
    uint8_t back[64];
    if (cl->EnqueueFillBuffer(t->queue, t->ours, &word, sizeof word, 0, OPENCL_PAGE, 0, NULL, NULL) || cl->Finish(t->queue))
        return false;
    for (uint32_t i = 0; i < OPENCL_PAGE; i += sizeof word)
        if (memcmp(t->page + i, &word, sizeof word))
            return false;
    memset(t->page, 0x77, OPENCL_PAGE);
    if (cl->EnqueueCopyBuffer(t->queue, t->ours, t->theirs, 0, 0, OPENCL_PAGE, 0, NULL, NULL) ||
        cl->EnqueueReadBuffer(t->queue, t->theirs, CL_TRUE, OPENCL_PAGE - sizeof back, sizeof back, back, 0, NULL, NULL))
        return false;
    for (size_t i = 0; i < sizeof back; i++)
        if (back[i] != 0x77)
            return false;
    return true;
}

static IoResultCode try_it(struct device *d, struct trial *t, bool *seen)
{
    const struct cl_api *cl = d->cl;
    cl_int rc;
    const cl_property properties[] = {CL_CONTEXT_PLATFORM, (cl_property)d->platform, 0};
    t->context = cl->CreateContext(properties, 1, &d->id, NULL, NULL, &rc);
    if (!rc)
        t->queue = cl->CreateCommandQueue(t->context, d->id, CL_QUEUE_PROFILING_ENABLE, &rc);
    if (!rc && (t->page = aligned_alloc(OPENCL_PAGE, OPENCL_PAGE)))
        memset(t->page, 0, OPENCL_PAGE);
    if (rc || !t->page)
        return rc ? cl_result(d, rc) : -ENOMEM;
    IoResultCode result = clock_calibrate(d, t->context, t->queue);
    if (result)
        return result;
    t->ours = cl->CreateBuffer(t->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, OPENCL_PAGE, t->page, &rc);
    if (!rc)
        t->theirs = cl->CreateBuffer(t->context, CL_MEM_READ_WRITE, OPENCL_PAGE, NULL, &rc);
    *seen = !rc && seen_both_ways(d, t);
    return 0;
}

IoResultCode place_decide(struct device *d)
{
    struct trial t = {0};
    bool seen = false, cpu = !(d->facts.type & CL_DEVICE_TYPE_GPU);
    IoResultCode rc = try_it(d, &t, &seen);
    if (t.ours)
        d->cl->ReleaseMemObject(t.ours);
    if (t.theirs)
        d->cl->ReleaseMemObject(t.theirs);
    if (t.queue)
        d->cl->ReleaseCommandQueue(t.queue);
    if (t.context)
        d->cl->ReleaseContext(t.context);
    free(t.page);
    if (rc)
        return rc;
    if (d->settings.place == PLACE_SHARED && !seen) {
        opencl_log(d->core, ISLE_LOG_ERROR, "memory=shared: %s does not see the CPU's memory as it is", d->facts.name);
        return IO_NOT_SUPPORTED;
    }
    d->coherent = seen && (d->settings.place == PLACE_SHARED || (d->settings.place == PLACE_AUTO && cpu));
    return 0;
}
