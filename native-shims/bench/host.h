#ifndef ISLE_BENCH_HOST_H
#define ISLE_BENCH_HOST_H

#include <stdint.h>

#include "../opencl/cl.h"

#define HOST_KERNELS 8u

/* A host program of OpenCL with one program and one in-order queue without profiling. */
struct host {
    const struct cl_api *cl;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernels[HOST_KERNELS];
    uint32_t kernel_count;
};

/* host.c; each ends the program when the library refuses. */
void host_check(const char *what, cl_int rc);
void host_fail(const char *what, const char *name);
cl_kernel host_kernel(const struct host *h, const char *name);
cl_mem host_buffer(const struct host *h, uint64_t bytes, cl_bitfield flags, void *memory);
void host_set(const struct host *h, cl_kernel kernel, cl_uint index, size_t bytes, const void *value);
/* A local size of NULL: the library's choice. */
void host_start(const struct host *h, cl_kernel kernel, cl_uint dimensions, const size_t *size, const size_t *local);
void host_finish(const struct host *h);

/* host_io.c; each ends the program when a file cannot be read or written. */
void *host_read(const char *file, uint64_t *bytes);
void host_write(const char *file, const void *data, uint64_t bytes);

/*
 * Each works once from the arguments of its verb, and returns its wall time in ns: of host_loops.c from the first dispatch to the end of
 * the last, of host_files.c from the opening of one file to the closing of the other.
 */
uint64_t host_stencil(const struct host *h, char **words);
uint64_t host_until(const struct host *h, char **words);
uint64_t host_sort(const struct host *h, char **words);
uint64_t host_copied(const struct host *h, char **words);
uint64_t host_mapped(const struct host *h, char **words);

/* A whole number from 1 to `most`; ends the program when the text is none. */
uint64_t host_number(const char *text, uint64_t most);

#endif
