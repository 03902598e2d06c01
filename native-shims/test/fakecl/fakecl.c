#define _GNU_SOURCE
#include "parts.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CLOCK_SKEW 1000000000000000ull
#define BINARY "FAKEBIN:"
#define CL_INVALID_BINARY (-42)
#define CL_INVALID_KERNEL_ARGS (-52)

struct fakecl control = {.devices = 1, .coherent = 1};
static struct cl_device whole[8] = {{8}, {8}, {8}, {8}, {8}, {8}, {8}, {8}};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static cl_event held;

API struct fakecl *fakecl(void);
struct fakecl *fakecl(void)
{
    return &control;
}

static void *make(size_t size)
{
    control.live++;
    return calloc(1, size);
}

static cl_int drop(void *object)
{
    control.live--;
    free(object);
    return CL_SUCCESS;
}

static cl_int answer(const void *from, size_t length, size_t room, void *to, size_t *out)
{
    if (out)
        *out = length;
    if (to && room < length)
        return CL_INVALID_VALUE;
    if (to)
        memcpy(to, from, length);
    return CL_SUCCESS;
}
#define NUMBER(type, value) answer(&(type){value}, sizeof(type), room, to, out)
#define TEXT(value) answer(value, sizeof(value), room, to, out)

API cl_int clGetPlatformIDs(cl_uint most, cl_platform_id *to, cl_uint *out);
cl_int clGetPlatformIDs(cl_uint most, cl_platform_id *to, cl_uint *out)
{
    if (!control.devices)
        return CL_PLATFORM_NOT_FOUND_KHR;
    if (most && to)
        *to = (cl_platform_id)&control;
    if (out)
        *out = 1;
    return CL_SUCCESS;
}

API cl_int clGetPlatformInfo(cl_platform_id p, cl_uint what, size_t room, void *to, size_t *out);
cl_int clGetPlatformInfo(cl_platform_id p, cl_uint what, size_t room, void *to, size_t *out)
{
    (void)p;
    return what == CL_PLATFORM_NAME ? TEXT("Fake platform") : CL_INVALID_VALUE;
}

API cl_int clGetDeviceIDs(cl_platform_id p, cl_bitfield type, cl_uint most, cl_device_id *to, cl_uint *out);
cl_int clGetDeviceIDs(cl_platform_id p, cl_bitfield type, cl_uint most, cl_device_id *to, cl_uint *out)
{
    (void)p, (void)type;
    for (cl_uint i = 0; i < most && i < (cl_uint)control.devices; i++)
        to[i] = &whole[i];
    *out = (cl_uint)control.devices;
    return CL_SUCCESS;
}

API cl_int clGetDeviceInfo(cl_device_id d, cl_uint what, size_t room, void *to, size_t *out);
cl_int clGetDeviceInfo(cl_device_id d, cl_uint what, size_t room, void *to, size_t *out)
{
    switch (what) {
    case CL_DEVICE_NAME:
        return TEXT("Fake (R) Device");
    case CL_DEVICE_VERSION:
        return TEXT("OpenCL 3.0");
    case CL_DRIVER_VERSION:
        return TEXT("1");
    case CL_DEVICE_IL_VERSION:
        return TEXT("SPIR-V_1.2");
    case CL_DEVICE_TYPE:
        return NUMBER(cl_ulong, 2);
    case CL_DEVICE_GLOBAL_MEM_SIZE:
        return NUMBER(cl_ulong, 64u << 20);
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
        return NUMBER(cl_ulong, 16u << 20);
    case CL_DEVICE_LOCAL_MEM_SIZE:
        return NUMBER(cl_ulong, 32u << 10);
    case CL_DEVICE_MAX_COMPUTE_UNITS:
        return NUMBER(cl_uint, d->units);
    case CL_DEVICE_MAX_CLOCK_FREQUENCY:
        return NUMBER(cl_uint, 1000);
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT:
        return NUMBER(cl_uint, 4);
    case CL_DEVICE_MEM_BASE_ADDR_ALIGN:
        return NUMBER(cl_uint, 1024);
    case CL_DEVICE_SVM_CAPABILITIES:
        return NUMBER(cl_bitfield, (cl_bitfield)control.svm);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE:
        return NUMBER(size_t, 256);
    case CL_DEVICE_AVAILABLE:
    case CL_DEVICE_COMPILER_AVAILABLE:
        return NUMBER(cl_bool, CL_TRUE);
    default:
        return CL_INVALID_VALUE;
    }
}

API cl_int clCreateSubDevices(cl_device_id d, const cl_property *how, cl_uint most, cl_device_id *to, cl_uint *out);
cl_int clCreateSubDevices(cl_device_id d, const cl_property *how, cl_uint most, cl_device_id *to, cl_uint *out)
{
    cl_uint units = 0, count = 0;
    for (; how[1 + count]; count++)
        units += (cl_uint)how[1 + count];
    if (how[0] != CL_DEVICE_PARTITION_BY_COUNTS || units > d->units || most < count)
        return -57; /* CL_INVALID_DEVICE_PARTITION_COUNT */
    for (cl_uint i = 0; i < count; i++) {
        to[i] = make(sizeof **to);
        to[i]->units = (cl_uint)how[1 + i];
    }
    *out = count;
    return CL_SUCCESS;
}

API cl_int clReleaseDevice(cl_device_id d);
cl_int clReleaseDevice(cl_device_id d)
{
    return drop(d);
}

API cl_context clCreateContext(const cl_property *p, cl_uint n, const cl_device_id *d, void (*f)(const char *, const void *, size_t, void *),
                               void *user, cl_int *rc);
cl_context clCreateContext(const cl_property *p, cl_uint n, const cl_device_id *d, void (*f)(const char *, const void *, size_t, void *),
                           void *user, cl_int *rc)
{
    (void)p, (void)n, (void)d, (void)f, (void)user;
    *rc = control.create_context;
    return *rc ? NULL : make(1);
}

API cl_int clReleaseContext(cl_context c);
cl_int clReleaseContext(cl_context c)
{
    return drop(c);
}

API cl_command_queue clCreateCommandQueue(cl_context c, cl_device_id d, cl_bitfield flags, cl_int *rc);
cl_command_queue clCreateCommandQueue(cl_context c, cl_device_id d, cl_bitfield flags, cl_int *rc)
{
    (void)c, (void)d, (void)flags;
    *rc = CL_SUCCESS;
    return make(1);
}

API cl_int clReleaseCommandQueue(cl_command_queue q);
cl_int clReleaseCommandQueue(cl_command_queue q)
{
    return drop(q);
}

API cl_mem clCreateBuffer(cl_context c, cl_bitfield flags, size_t size, void *host, cl_int *rc);
cl_mem clCreateBuffer(cl_context c, cl_bitfield flags, size_t size, void *host, cl_int *rc)
{
    (void)c;
    *rc = control.create_buffer;
    if (*rc)
        return NULL;
    cl_mem m = make(sizeof *m);
    if ((int)size > control.largest_buffer)
        control.largest_buffer = (int)size;
    m->own = !(flags & CL_MEM_USE_HOST_PTR) || !control.coherent;
    m->bytes = m->own ? malloc(size) : host;
    m->size = size;
    if (m->own)
        memset(m->bytes, 0xdb, size); /* what another tenant left */
    return m;
}

API cl_mem clCreateSubBuffer(cl_mem of, cl_bitfield flags, cl_uint type, const void *info, cl_int *rc);
cl_mem clCreateSubBuffer(cl_mem of, cl_bitfield flags, cl_uint type, const void *info, cl_int *rc)
{
    const cl_buffer_region *r = info;
    (void)flags, (void)type;
    *rc = r->origin % 128 ? CL_MISALIGNED_SUB_BUFFER_OFFSET : r->size && r->origin + r->size <= of->size ? CL_SUCCESS : CL_INVALID_VALUE;
    if (*rc)
        return NULL;
    cl_mem m = make(sizeof *m);
    *m = (struct cl_memory){.bytes = of->bytes + r->origin, .size = r->size};
    return m;
}

API cl_int clReleaseMemObject(cl_mem m);
cl_int clReleaseMemObject(cl_mem m)
{
    if (m->own)
        free(m->bytes);
    return drop(m);
}

static cl_program program_of(const void *source, size_t length, cl_int *rc)
{
    *rc = control.create_program;
    if (*rc)
        return NULL;
    cl_program p = make(sizeof *p);
    p->source = strndup(source, length);
    return p;
}

API cl_program clCreateProgramWithSource(cl_context c, cl_uint n, const char **source, const size_t *length, cl_int *rc);
cl_program clCreateProgramWithSource(cl_context c, cl_uint n, const char **source, const size_t *length, cl_int *rc)
{
    (void)c, (void)n;
    control.compiled++;
    return program_of(*source, *length, rc);
}

API cl_program clCreateProgramWithIL(cl_context c, const void *il, size_t length, cl_int *rc);
cl_program clCreateProgramWithIL(cl_context c, const void *il, size_t length, cl_int *rc)
{
    (void)c;
    control.compiled++;
    return program_of(il, length, rc);
}

API cl_program clCreateProgramWithBinary(cl_context c, cl_uint n, const cl_device_id *d, const size_t *length, const unsigned char **binary,
                                         cl_int *status, cl_int *rc);
cl_program clCreateProgramWithBinary(cl_context c, cl_uint n, const cl_device_id *d, const size_t *length, const unsigned char **binary,
                                     cl_int *status, cl_int *rc)
{
    (void)c, (void)n, (void)d;
    size_t head = strlen(BINARY);
    if (control.refuse_binaries || *length < head || memcmp(*binary, BINARY, head)) {
        *rc = *status = CL_INVALID_BINARY;
        return NULL;
    }
    *status = CL_SUCCESS;
    return program_of(*binary + head, *length - head, rc);
}

API cl_int clBuildProgram(cl_program p, cl_uint n, const cl_device_id *d, const char *o, void (*f)(cl_program, void *), void *user);
cl_int clBuildProgram(cl_program p, cl_uint n, const cl_device_id *d, const char *o, void (*f)(cl_program, void *), void *user)
{
    (void)n, (void)d, (void)f, (void)user;
    control.options[0] = 0;
    strncat(control.options, o, sizeof control.options - 1);
    return strstr(p->source, "bad") || !strstr(o, "-cl-kernel-arg-info") ? CL_BUILD_PROGRAM_FAILURE : CL_SUCCESS;
}

API cl_int clGetProgramInfo(cl_program p, cl_uint what, size_t room, void *to, size_t *out);
cl_int clGetProgramInfo(cl_program p, cl_uint what, size_t room, void *to, size_t *out)
{
    size_t head = strlen(BINARY);
    if (what == CL_PROGRAM_BINARY_SIZES)
        return NUMBER(size_t, head + strlen(p->source));
    uint8_t *binary = *(uint8_t **)to;
    memcpy(binary, BINARY, head);
    memcpy(binary + head, p->source, strlen(p->source));
    return CL_SUCCESS;
}

API cl_int clGetProgramBuildInfo(cl_program p, cl_device_id d, cl_uint what, size_t room, void *to, size_t *out);
cl_int clGetProgramBuildInfo(cl_program p, cl_device_id d, cl_uint what, size_t room, void *to, size_t *out)
{
    (void)d, (void)what;
    return strstr(p->source, "bad") ? TEXT("fake: line 1: bad is not a statement") : TEXT("");
}

API cl_int clReleaseProgram(cl_program p);
cl_int clReleaseProgram(cl_program p)
{
    free(p->source);
    return drop(p);
}

/* Every program has the same two: twice(in, out, add), and one that takes local memory. */
API cl_int clCreateKernelsInProgram(cl_program p, cl_uint most, cl_kernel *to, cl_uint *out);
cl_int clCreateKernelsInProgram(cl_program p, cl_uint most, cl_kernel *to, cl_uint *out)
{
    cl_uint count = strstr(p->source, "none") ? 0 : 2;
    for (cl_uint i = 0; i < most && i < count; i++) {
        to[i] = make(sizeof **to);
        to[i]->local = strstr(p->source, "local") ? 1 : !i;
    }
    if (out)
        *out = count;
    return CL_SUCCESS;
}

API cl_int clGetKernelInfo(cl_kernel k, cl_uint what, size_t room, void *to, size_t *out);
cl_int clGetKernelInfo(cl_kernel k, cl_uint what, size_t room, void *to, size_t *out)
{
    if (what == CL_KERNEL_NUM_ARGS)
        return NUMBER(cl_uint, k->local ? 1 : 3);
    return k->local ? TEXT("reduce") : TEXT("twice");
}

API cl_int clGetKernelArgInfo(cl_kernel k, cl_uint i, cl_uint what, size_t room, void *to, size_t *out);
cl_int clGetKernelArgInfo(cl_kernel k, cl_uint i, cl_uint what, size_t room, void *to, size_t *out)
{
    if (what == CL_KERNEL_ARG_ADDRESS_QUALIFIER)
        return NUMBER(cl_uint, k->local ? CL_KERNEL_ARG_ADDRESS_LOCAL : i < 2 ? CL_KERNEL_ARG_ADDRESS_GLOBAL : CL_KERNEL_ARG_ADDRESS_PRIVATE);
    if (what == CL_KERNEL_ARG_TYPE_QUALIFIER)
        return NUMBER(cl_bitfield, i == 0 ? CL_KERNEL_ARG_TYPE_CONST : 0);
    return i < 2 ? TEXT("uint*") : TEXT("uint");
}

API cl_int clGetKernelWorkGroupInfo(cl_kernel k, cl_device_id d, cl_uint what, size_t room, void *to, size_t *out);
cl_int clGetKernelWorkGroupInfo(cl_kernel k, cl_device_id d, cl_uint what, size_t room, void *to, size_t *out)
{
    static const size_t none[3];
    (void)k, (void)d, (void)what;
    return answer(none, sizeof none, room, to, out);
}

API cl_int clSetKernelArg(cl_kernel k, cl_uint i, size_t size, const void *value);
cl_int clSetKernelArg(cl_kernel k, cl_uint i, size_t size, const void *value)
{
    cl_mem m;
    if (size != (i < 2 ? sizeof m : sizeof k->scalar))
        return -51; /* CL_INVALID_ARG_SIZE */
    memcpy(i < 2 ? (void *)&m : (void *)&k->scalar, value, size);
    if (i < 2)
        k->buffers[i] = m->bytes;
    return CL_SUCCESS;
}

API cl_int clReleaseKernel(cl_kernel k);
cl_int clReleaseKernel(cl_kernel k)
{
    return drop(k);
}

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
    pthread_mutex_lock(&lock);
    if (control.hold) {
        (*out)->next = held;
        held = *out;
        control.held++;
    } else {
        tell(*out);
    }
    pthread_mutex_unlock(&lock);
    return CL_SUCCESS;
}

API void fakecl_release(void);
void fakecl_release(void)
{
    pthread_mutex_lock(&lock);
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
        pthread_mutex_unlock(&lock);
        tell(reversed);
        pthread_mutex_lock(&lock);
        reversed = next;
    }
    pthread_cond_broadcast(&ended);
    pthread_mutex_unlock(&lock);
}

API cl_int clEnqueueNDRangeKernel(cl_command_queue q, cl_kernel k, cl_uint dims, const size_t *offset, const size_t *global,
                                  const size_t *local, cl_uint n, const cl_event *waits, cl_event *out);
cl_int clEnqueueNDRangeKernel(cl_command_queue q, cl_kernel k, cl_uint dims, const size_t *offset, const size_t *global,
                              const size_t *local, cl_uint n, const cl_event *waits, cl_event *out)
{
    (void)q, (void)dims, (void)offset, (void)local, (void)n, (void)waits;
    cl_int rc = k->buffers[0] && k->buffers[1] ? begin(out) : CL_INVALID_KERNEL_ARGS;
    if (rc)
        return rc;
    if (control.kernel_status < 0 && out)
        (*out)->ends_with = control.kernel_status;
    for (size_t i = 0; i < global[0]; i++) {
        cl_uint v;
        memcpy(&v, k->buffers[0] + 4 * i, 4);
        v = 2 * v + k->scalar;
        memcpy(k->buffers[1] + 4 * i, &v, 4);
    }
    return end(out);
}

API cl_int clEnqueueReadBuffer(cl_command_queue q, cl_mem m, cl_bool wait, size_t at, size_t size, void *to, cl_uint n,
                               const cl_event *waits, cl_event *out);
cl_int clEnqueueReadBuffer(cl_command_queue q, cl_mem m, cl_bool wait, size_t at, size_t size, void *to, cl_uint n,
                           const cl_event *waits, cl_event *out)
{
    (void)q, (void)wait, (void)n, (void)waits;
    cl_int rc = begin(out);
    if (rc)
        return rc;
    memcpy(to, m->bytes + at, size);
    return end(out);
}

API cl_int clEnqueueWriteBuffer(cl_command_queue q, cl_mem m, cl_bool wait, size_t at, size_t size, const void *from, cl_uint n,
                                const cl_event *waits, cl_event *out);
cl_int clEnqueueWriteBuffer(cl_command_queue q, cl_mem m, cl_bool wait, size_t at, size_t size, const void *from, cl_uint n,
                            const cl_event *waits, cl_event *out)
{
    (void)q, (void)wait, (void)n, (void)waits;
    cl_int rc = begin(out);
    if (rc)
        return rc;
    memcpy(m->bytes + at, from, size);
    return end(out);
}

API cl_int clEnqueueCopyBuffer(cl_command_queue q, cl_mem src, cl_mem dst, size_t from, size_t to, size_t size, cl_uint n,
                               const cl_event *waits, cl_event *out);
cl_int clEnqueueCopyBuffer(cl_command_queue q, cl_mem src, cl_mem dst, size_t from, size_t to, size_t size, cl_uint n,
                           const cl_event *waits, cl_event *out)
{
    (void)q, (void)n, (void)waits;
    if (src == dst && from < to + size && to < from + size)
        return -48; /* CL_MEM_COPY_OVERLAP */
    cl_int rc = begin(out);
    if (rc)
        return rc;
    memcpy(dst->bytes + to, src->bytes + from, size);
    return end(out);
}

API cl_int clEnqueueFillBuffer(cl_command_queue q, cl_mem m, const void *pattern, size_t each, size_t at, size_t size, cl_uint n,
                               const cl_event *waits, cl_event *out);
cl_int clEnqueueFillBuffer(cl_command_queue q, cl_mem m, const void *pattern, size_t each, size_t at, size_t size, cl_uint n,
                           const cl_event *waits, cl_event *out)
{
    (void)q, (void)n, (void)waits;
    if (at % each || size % each || at + size > m->size)
        return CL_INVALID_VALUE;
    cl_int rc = begin(out);
    if (rc)
        return rc;
    for (size_t i = 0; i < size; i += each)
        memcpy(m->bytes + at + i, pattern, each);
    return end(out);
}

API cl_int clEnqueueMarkerWithWaitList(cl_command_queue q, cl_uint n, const cl_event *waits, cl_event *out);
cl_int clEnqueueMarkerWithWaitList(cl_command_queue q, cl_uint n, const cl_event *waits, cl_event *out)
{
    (void)q, (void)n, (void)waits;
    cl_int rc = begin(out);
    return rc ? rc : end(out);
}

#ifndef FAKECL_OLD
API cl_int clSetEventCallback(cl_event e, cl_int status, cl_event_notify notify, void *user);
cl_int clSetEventCallback(cl_event e, cl_int status, cl_event_notify notify, void *user)
{
    if (control.callback)
        return control.callback;
    pthread_mutex_lock(&lock);
    int already = e->status <= status;
    if (!already) {
        e->notify[e->callbacks] = notify;
        e->user[e->callbacks++] = user;
    }
    pthread_mutex_unlock(&lock);
    if (already)
        notify(e, e->status, user);
    return CL_SUCCESS;
}
#endif

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
    pthread_mutex_lock(&lock);
    while (control.hold && held)
        pthread_cond_wait(&ended, &lock);
    pthread_mutex_unlock(&lock);
    return CL_SUCCESS;
}
