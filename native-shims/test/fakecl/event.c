/* Events: what is enqueued has run when the call returns; its event ends then, or with fakecl_release(). */
#include <pthread.h>
#include <time.h>

#include "parts.h"

#define CLOCK_SKEW 1000000000000000ull

pthread_mutex_t events_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static cl_event held;

static cl_ulong device_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (cl_ulong)t.tv_sec * 1000000000u + (cl_ulong)t.tv_nsec + CLOCK_SKEW;
}

cl_int begin(cl_event *out)
{
    if (control.enqueue)
        return control.enqueue;
    if (!out)
        return CL_SUCCESS;
    cl_event e = make(sizeof *e);
    e->start = device_ns();
    e->status = 3; /* CL_QUEUED */
    e->ends_with = control.event_status < 0 ? control.event_status : CL_COMPLETE;
    *out = e;
    return CL_SUCCESS;
}

static void tell(cl_event e)
{
    e->end = device_ns();
    e->status = e->ends_with;
    const struct cl_event_object was = *e; /* a callback may release it */
    e->callbacks = 0;
    for (int i = 0; i < was.callbacks; i++)
        was.notify[i](e, was.status, was.user[i]);
}

cl_int end(cl_event *out)
{
    if (!out)
        return CL_SUCCESS;
    pthread_mutex_lock(&events_lock);
    if (control.hold) {
        (*out)->next = held;
        held = *out;
        control.held++;
    } else {
        tell(*out);
    }
    pthread_mutex_unlock(&events_lock);
    return CL_SUCCESS;
}

API void fakecl_release(void);
void fakecl_release(void)
{
    pthread_mutex_lock(&events_lock);
    control.hold = 0;
    cl_event e = held, reversed = NULL;
    held = NULL;
    control.held = 0;
    while (e) {
        cl_event next = e->next;
        e->next = reversed;
        reversed = e;
        e = next;
    }
    while (reversed) {
        cl_event next = reversed->next;
        pthread_mutex_unlock(&events_lock);
        tell(reversed);
        pthread_mutex_lock(&events_lock);
        reversed = next;
    }
    pthread_cond_broadcast(&ended);
    pthread_mutex_unlock(&events_lock);
}

API cl_int clEnqueueMarkerWithWaitList(cl_command_queue q, cl_uint n, const cl_event *waits, cl_event *out);
cl_int clEnqueueMarkerWithWaitList(cl_command_queue q, cl_uint n, const cl_event *waits, cl_event *out)
{
    (void)q, (void)n, (void)waits;
    cl_int rc = begin(out);
    return rc ? rc : end(out);
}

API cl_int clGetEventInfo(cl_event e, cl_uint what, size_t room, void *to, size_t *out);
cl_int clGetEventInfo(cl_event e, cl_uint what, size_t room, void *to, size_t *out)
{
    return what == CL_EVENT_COMMAND_EXECUTION_STATUS ? NUMBER(cl_int, e->status) : CL_INVALID_VALUE;
}

API cl_int clGetEventProfilingInfo(cl_event e, cl_uint what, size_t room, void *to, size_t *out);
cl_int clGetEventProfilingInfo(cl_event e, cl_uint what, size_t room, void *to, size_t *out)
{
    if (e->status < 0)
        return CL_PROFILING_INFO_NOT_AVAILABLE;
    return NUMBER(cl_ulong, what == CL_PROFILING_COMMAND_START ? e->start : e->end);
}

API cl_int clReleaseEvent(cl_event e);
cl_int clReleaseEvent(cl_event e)
{
    return drop(e);
}

API cl_int clFlush(cl_command_queue q);
cl_int clFlush(cl_command_queue q)
{
    (void)q;
    return CL_SUCCESS;
}

API cl_int clFinish(cl_command_queue q);
cl_int clFinish(cl_command_queue q)
{
    (void)q;
    pthread_mutex_lock(&events_lock);
    while (control.hold && held)
        pthread_cond_wait(&ended, &events_lock);
    pthread_mutex_unlock(&events_lock);
    return CL_SUCCESS;
}
