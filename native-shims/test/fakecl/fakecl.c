/* Platform, devices, contexts and queues. */
#include <stdlib.h>
#include <string.h>

#include "parts.h"

struct fakecl control = {.devices = 1, .coherent = 1};
static struct cl_device whole[8] = {{8}, {8}, {8}, {8}, {8}, {8}, {8}, {8}};

API struct fakecl *fakecl(void);
struct fakecl *fakecl(void)
{
    return &control;
}

void *make(size_t size)
{
    control.live++;
    return calloc(1, size);
}

cl_int drop(void *object)
{
    control.live--;
    free(object);
    return CL_SUCCESS;
}

cl_int answer(const void *from, size_t length, size_t room, void *to, size_t *out)
{
    if (out)
        *out = length;
    if (to && room < length)
        return CL_INVALID_VALUE;
    if (to)
        memcpy(to, from, length);
    return CL_SUCCESS;
}

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
    case CL_DEVICE_LINKER_AVAILABLE:
        return NUMBER(cl_bool, !control.no_linker);
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
