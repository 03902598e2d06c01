/*
 * The device's timer and CLOCK_MONOTONIC differ by an offset that is measured at open and corrected whenever an event would have begun
 * before it was enqueued, or ended after it was seen to have ended: so the two may drift.
 */
#include "clock.h"

#include <time.h>

#include "errors.h"

uint64_t clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static bool profiled(struct device *d, cl_event event, cl_ulong *start, cl_ulong *end)
{
    return !d->cl->GetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof *start, start, NULL) &&
           !d->cl->GetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof *end, end, NULL) && *end >= *start;
}

IoResultCode clock_calibrate(struct device *d, cl_context context, cl_command_queue queue)
{
    cl_int rc;
    cl_event event = NULL;
    cl_ulong start, end;
    const cl_uint zero = 0;
    cl_mem scratch = d->cl->CreateBuffer(context, CL_MEM_READ_WRITE, OPENCL_PAGE, NULL, &rc);
    if (!rc)
        rc = d->cl->EnqueueFillBuffer(queue, scratch, &zero, sizeof zero, 0, OPENCL_PAGE, 0, NULL, &event);
    if (!rc)
        rc = d->cl->Finish(queue);
    uint64_t now = clock_now();
    if (!rc && profiled(d, event, &start, &end))
        atomic_store(&d->offset_ns, (int64_t)(now - end));
    if (event)
        d->cl->ReleaseEvent(event);
    if (scratch)
        d->cl->ReleaseMemObject(scratch);
    return cl_result(d, rc);
}

bool clock_of_event(struct device *d, cl_event event, uint64_t issued_ns, uint64_t now, uint64_t *start, uint64_t *end)
{
    cl_ulong from, to;
    if (!profiled(d, event, &from, &to))
        return false;
    uint64_t took = to - from < now - issued_ns ? to - from : now - issued_ns;
    uint64_t offset = (uint64_t)atomic_load_explicit(&d->offset_ns, memory_order_relaxed);
    int64_t late = (int64_t)(to + offset - now), early = (int64_t)(issued_ns - (from + offset));
    if (late > 0)
        offset -= (uint64_t)late;
    else if (early > 0)
        offset += (uint64_t)early;
    if (late > 0 || early > 0)
        atomic_store_explicit(&d->offset_ns, (int64_t)offset, memory_order_relaxed);
    *end = to + offset;
    /* both bounds at once hold only if the timers run at one speed */
    if (*end > now || *end < issued_ns)
        *end = now;
    *start = *end - took >= issued_ns ? *end - took : issued_ns;
    return true;
}
