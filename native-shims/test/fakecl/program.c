/* Programs and their kernels: a source with "bad" in it is not built. */
#include <stdlib.h>
#include <string.h>

#include "parts.h"

#define BINARY "FAKEBIN:"
#define CL_INVALID_BINARY (-42)
#define CL_INVALID_KERNEL_ARGS (-52)

static cl_program program_of(const void *source, size_t length, cl_int *rc)
{
    *rc = control.create_program;
    if (*rc)
        return NULL;
    cl_program p = make(sizeof *p);
    p->source = strndup(source, length);
    return p;
}

/* Without a first line that is there for its name alone. */

API cl_program clCreateProgramWithSource(cl_context c, cl_uint n, const char **source, const size_t *length, cl_int *rc);
cl_program clCreateProgramWithSource(cl_context c, cl_uint n, const char **source, const size_t *length, cl_int *rc)
{
    char *all = calloc(1, 1);
    (void)c;
    for (cl_uint i = !strncmp(source[0], "#line", 5); i < n; i++) {
        all = realloc(all, strlen(all) + length[i] + 1);
        strncat(all, source[i], length[i]);
    }
    cl_program p = program_of(all, strlen(all), rc);
    free(all);
    if (p)
        p->is_source = 1;
    return p;
}

API cl_program clCreateProgramWithIL(cl_context c, const void *il, size_t length, cl_int *rc);
cl_program clCreateProgramWithIL(cl_context c, const void *il, size_t length, cl_int *rc)
{
    (void)c;
    cl_program p = program_of(il, length, rc);
    if (p)
        p->is_source = 1;
    return p;
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
    control.compiled += p->is_source;
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
    if (p->log)
        return answer(p->log, strlen(p->log) + 1, room, to, out);
    return strstr(p->source, "bad") ? TEXT("fake: line 1: bad is not a statement") : TEXT("");
}

API cl_int clReleaseProgram(cl_program p);
cl_int clReleaseProgram(cl_program p)
{
    free(p->source);
    free(p->log);
    return drop(p);
}

/* Every program has the same two: twice(in, out, add), and one that takes local memory; "local": both are of that kind; "image": it takes an
 * image; "required": both are for groups of 8. */
API cl_int clCreateKernelsInProgram(cl_program p, cl_uint most, cl_kernel *to, cl_uint *out);
cl_int clCreateKernelsInProgram(cl_program p, cl_uint most, cl_kernel *to, cl_uint *out)
{
    cl_uint count = strstr(p->source, "none") ? 0 : 2;
    for (cl_uint i = 0; i < most && i < count; i++) {
        to[i] = make(sizeof **to);
        to[i]->local = strstr(p->source, "local") ? 1 : !i;
        to[i]->image = strstr(p->source, "image") != NULL;
        to[i]->required = strstr(p->source, "required") ? 8 : 0;
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
    if (what == CL_KERNEL_ARG_ACCESS_QUALIFIER)
        return NUMBER(cl_uint, k->local && k->image ? 0x11A0 : CL_KERNEL_ARG_ACCESS_NONE);
    if (what == CL_KERNEL_ARG_NAME)
        return k->local ? TEXT("tile") : i == 0 ? TEXT("in") : i == 1 ? TEXT("out") : TEXT("add");
    if (what == CL_KERNEL_ARG_ADDRESS_QUALIFIER)
        return NUMBER(cl_uint, k->local ? CL_KERNEL_ARG_ADDRESS_LOCAL : i < 2 ? CL_KERNEL_ARG_ADDRESS_GLOBAL : CL_KERNEL_ARG_ADDRESS_PRIVATE);
    if (what == CL_KERNEL_ARG_TYPE_QUALIFIER)
        return NUMBER(cl_bitfield, i == 0 ? CL_KERNEL_ARG_TYPE_CONST : 0);
    return i < 2 ? TEXT("uint*") : TEXT("uint");
}

API cl_int clGetKernelWorkGroupInfo(cl_kernel k, cl_device_id d, cl_uint what, size_t room, void *to, size_t *out);
cl_int clGetKernelWorkGroupInfo(cl_kernel k, cl_device_id d, cl_uint what, size_t room, void *to, size_t *out)
{
    const size_t required[3] = {k->required, k->required ? 1 : 0, k->required ? 1 : 0};
    (void)d;
    return what == CL_KERNEL_COMPILE_WORK_GROUP_SIZE ? answer(required, sizeof required, room, to, out)
           : what == CL_KERNEL_WORK_GROUP_SIZE       ? NUMBER(size_t, 128)
                                                     : NUMBER(cl_ulong, k->local ? 64 : 0);
}

API cl_int clSetKernelArg(cl_kernel k, cl_uint i, size_t size, const void *value);
cl_int clSetKernelArg(cl_kernel k, cl_uint i, size_t size, const void *value)
{
    cl_mem m;
    if (k->local) {
        control.local_bytes = (int)size;
        return value ? -50 : CL_SUCCESS; /* CL_INVALID_ARG_VALUE */
    }
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

API cl_int clEnqueueNDRangeKernel(cl_command_queue q, cl_kernel k, cl_uint dims, const size_t *offset, const size_t *global,
                                  const size_t *local, cl_uint n, const cl_event *waits, cl_event *out);
cl_int clEnqueueNDRangeKernel(cl_command_queue q, cl_kernel k, cl_uint dims, const size_t *offset, const size_t *global,
                              const size_t *local, cl_uint n, const cl_event *waits, cl_event *out)
{
    (void)q, (void)n, (void)waits;
    cl_int rc = k->local || (k->buffers[0] && k->buffers[1]) ? begin(out) : CL_INVALID_KERNEL_ARGS;
    if (rc)
        return rc;
    if (control.kernel_status < 0 && out)
        (*out)->ends_with = control.kernel_status;
    control.dimensions = (int)dims;
    control.offset = offset ? (int)offset[0] : 0;
    control.group = local ? (int)local[0] : 0;
    for (size_t i = control.offset; i < control.offset + global[0] && !k->local; i++) {
        cl_uint v;
        memcpy(&v, k->buffers[0] + 4 * i, 4);
        v = 2 * v + k->scalar;
        memcpy(k->buffers[1] + 4 * i, &v, 4);
    }
    return end(out);
}
