/*
 * Where memory of contexts lies. Whether a buffer over memory of the CPU is that memory for the device too OpenCL promises only while it is
 * mapped; so it is tried, in both directions, and only devices of other types than CPUs get copies without a try. Shared virtual memory
 * is tried too, for what a device says of it need not hold for a part of one.
 */
#define _GNU_SOURCE
#include "place.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../kit/kit.h"
#include "backing.h"
#include "clock.h"
#include "errors.h"

struct trial {
    cl_context context;
    cl_command_queue queue;
    struct backing ours, theirs, svm;
    uint8_t *page;
};

static bool seen_both_ways(struct device *d, struct trial *t)
{
    const struct cl_api *cl = d->cl;
    const cl_uint word = 0x5ac3a53cu;
    uint8_t back[64];
    if (backing_fill(d, t->queue, &t->ours, &word, sizeof word, 0, OPENCL_PAGE, NULL) || cl->Finish(t->queue))
        return false;
    for (uint32_t i = 0; i < OPENCL_PAGE; i += sizeof word)
        if (memcmp(t->page + i, &word, sizeof word))
            return false;
    memset(t->page, 0x77, OPENCL_PAGE);
    if (backing_copy(d, t->queue, &t->theirs, 0, &t->ours, 0, OPENCL_PAGE, NULL) ||
        backing_read(d, t->queue, &t->theirs, OPENCL_PAGE - sizeof back, back, sizeof back, NULL) || cl->Finish(t->queue))
        return false;
    for (size_t i = 0; i < sizeof back; i++)
        if (back[i] != 0x77)
            return false;
    return true;
}

/* There and back again, by the commands that submissions use. */
static bool svm_works(struct device *d, struct trial *t)
{
    const uint8_t byte = 0x77;
    uint8_t sent[64], back[64];
    memset(sent, 0x5a, sizeof sent);
    if (backing_make(d, t->context, true, OPENCL_PAGE, NULL, &t->svm) ||
        backing_fill(d, t->queue, &t->svm, &byte, sizeof byte, 0, OPENCL_PAGE, NULL) ||
        backing_write(d, t->queue, &t->svm, 0, sent, sizeof sent, NULL) ||
        backing_copy(d, t->queue, &t->svm, 96, &t->svm, 32, sizeof sent, NULL) ||
        backing_read(d, t->queue, &t->svm, 96, back, sizeof back, NULL) || d->cl->Finish(t->queue))
        return false;
    for (size_t i = 0; i < sizeof back; i++)
        if (back[i] != (i < 32 ? 0x5a : 0x77))
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
    if (rc || !t->page) {
        kit_log(d->core, ISLE_LOG_ERROR, "%s cannot be used: no context and queue, OpenCL error %d", d->facts.name, rc);
        return rc ? cl_result(d, rc) : -ENOMEM;
    }
    IoResultCode result = clock_calibrate(d, t->context, t->queue);
    if (result)
        return result;
    *seen = !backing_make(d, t->context, false, OPENCL_PAGE, t->page, &t->ours) &&
            !backing_make(d, t->context, false, OPENCL_PAGE, NULL, &t->theirs) && seen_both_ways(d, t);
    d->svm = d->settings.place == PLACE_SVM && d->facts.svm && svm_works(d, t);
    return 0;
}

IoResultCode place_decide(struct device *d)
{
    struct trial t = {0};
    bool seen = false, cpu = !(d->facts.type & CL_DEVICE_TYPE_GPU);
    IoResultCode rc = try_it(d, &t, &seen);
    backing_free(d, t.context, &t.ours);
    backing_free(d, t.context, &t.theirs);
    backing_free(d, t.context, &t.svm);
    if (t.queue)
        d->cl->ReleaseCommandQueue(t.queue);
    if (t.context)
        d->cl->ReleaseContext(t.context);
    free(t.page);
    if (rc)
        return rc;
    if (d->settings.place == PLACE_SHARED && !seen) {
        kit_log(d->core, ISLE_LOG_ERROR, "memory=shared: device %s does not share the CPU's memory", d->facts.name);
        return IO_NOT_SUPPORTED;
    }
    if (d->settings.place == PLACE_SVM && !d->svm) {
        kit_log(d->core, ISLE_LOG_ERROR, "memory=svm: device %s has no coarse-grained shared virtual memory", d->facts.name);
        return IO_NOT_SUPPORTED;
    }
    d->coherent = seen && (d->settings.place == PLACE_SHARED || (d->settings.place == PLACE_AUTO && cpu));
    return 0;
}
