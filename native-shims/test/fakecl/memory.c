/* Buffers and the commands on them. */
#include <stdlib.h>
#include <string.h>

#include "parts.h"

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
