/* Coarse-grained shared virtual memory: what is given to commands and kernels must lie in it. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"

static struct {
    uint8_t *at;
    size_t size;
} all[64];

/* Whether the whole range is of one allocation. */
static bool inside(const void *from, size_t bytes)
{
    const uint8_t *p = from;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].at && p >= all[i].at && p < all[i].at + all[i].size)
            return bytes <= (size_t)(all[i].at + all[i].size - p);
    return false;
}

API void *clSVMAlloc(cl_context c, cl_bitfield flags, size_t size, cl_uint align);
void *clSVMAlloc(cl_context c, cl_bitfield flags, size_t size, cl_uint align)
{
    (void)c, (void)flags, (void)align;
    for (size_t i = 0; !control.create_svm && i < sizeof all / sizeof all[0]; i++) {
        if (all[i].at)
            continue;
        all[i].at = malloc(size);
        all[i].size = size;
        memset(all[i].at, 0xdb, size); /* what another tenant left */
        control.live++;
        return all[i].at;
    }
    return NULL;
}

API void clSVMFree(cl_context c, void *pointer);
void clSVMFree(cl_context c, void *pointer)
{
    (void)c;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (all[i].at != pointer)
            continue;
        free(pointer);
        all[i].at = NULL;
        control.live--;
    }
}

API cl_int clSetKernelArgSVMPointer(cl_kernel k, cl_uint i, const void *value);
cl_int clSetKernelArgSVMPointer(cl_kernel k, cl_uint i, const void *value)
{
    if (i > 1 || !inside(value, 4))
        return CL_INVALID_VALUE;
    memcpy(&k->buffers[i], &value, sizeof value);
    return CL_SUCCESS;
}

API cl_int clSetKernelExecInfo(cl_kernel k, cl_uint what, size_t size, const void *value);
cl_int clSetKernelExecInfo(cl_kernel k, cl_uint what, size_t size, const void *value)
{
    const void *const *pointers = value;
    (void)k;
    if (what != CL_KERNEL_EXEC_INFO_SVM_PTRS || size % sizeof *pointers || !size != !value)
        return CL_INVALID_VALUE;
    for (size_t i = 0; i < size / sizeof *pointers; i++)
        if (!inside(pointers[i], 1))
            return CL_INVALID_VALUE;
    control.reachable = (int)(size / sizeof *pointers);
    return CL_SUCCESS;
}

API cl_int clEnqueueSVMMemcpy(cl_command_queue q, cl_bool wait, void *to, const void *from, size_t size, cl_uint n, const cl_event *waits,
                              cl_event *out);
cl_int clEnqueueSVMMemcpy(cl_command_queue q, cl_bool wait, void *to, const void *from, size_t size, cl_uint n, const cl_event *waits,
                          cl_event *out)
{
    const uint8_t *a = to, *b = from;
    (void)q, (void)wait, (void)n, (void)waits;
    if (a < b + size && b < a + size)
        return -48; /* CL_MEM_COPY_OVERLAP */
    if (!inside(to, size) && !inside(from, size))
        return CL_INVALID_VALUE;
    cl_int rc = begin(out);
    if (rc)
        return rc;
    memcpy(to, from, size);
    return end(out);
}

API cl_int clEnqueueSVMMemFill(cl_command_queue q, void *to, const void *pattern, size_t each, size_t size, cl_uint n,
                               const cl_event *waits, cl_event *out);
cl_int clEnqueueSVMMemFill(cl_command_queue q, void *to, const void *pattern, size_t each, size_t size, cl_uint n, const cl_event *waits,
                           cl_event *out)
{
    uint8_t *at = to;
    (void)q, (void)n, (void)waits;
    if ((uintptr_t)to % each || size % each || !inside(to, size))
        return CL_INVALID_VALUE;
    cl_int rc = begin(out);
    if (rc)
        return rc;
    for (size_t i = 0; i < size; i += each)
        memcpy(at + i, pattern, each);
    return end(out);
}
