#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "futex.h"
#include "host.h"

#define MOST_BYTES 4096u /* of a work item */

/* Scalar arguments of every kernel of files. */
static const float first_scalar = 30, second_scalar = 90;

static void compute(const struct host *h, const char *name, cl_mem in, cl_mem out, uint64_t items)
{
    cl_kernel kernel = host_kernel(h, name);
    size_t size = items;
    host_set(h, kernel, 0, sizeof(cl_mem), &in);
    host_set(h, kernel, 1, sizeof(cl_mem), &out);
    host_set(h, kernel, 2, sizeof first_scalar, &first_scalar);
    host_set(h, kernel, 3, sizeof second_scalar, &second_scalar);
    host_start(h, kernel, 1, &size, NULL);
    host_finish(h);
}

/* KERNEL IN_BYTES OUT_BYTES IN OUT: reads, uploads, computes, downloads, writes, in turn. */
uint64_t host_copied(const struct host *h, char **words)
{
    uint64_t in_bytes, per_in = host_number(words[1], MOST_BYTES), per_out = host_number(words[2], MOST_BYTES);
    unlink(words[4]); /* not timed, as for a job: a new file */
    uint64_t start = clock_ns();
    void *data = host_read(words[3], &in_bytes);
    uint64_t items = in_bytes / per_in, out_bytes = items * per_out;
    cl_mem in = host_buffer(h, in_bytes, CL_MEM_READ_ONLY, NULL), out = host_buffer(h, out_bytes, CL_MEM_WRITE_ONLY, NULL);
    host_check("clEnqueueWriteBuffer", h->cl->EnqueueWriteBuffer(h->queue, in, CL_TRUE, 0, in_bytes, data, 0, NULL, NULL));
    compute(h, words[0], in, out, items);
    free(data);
    data = malloc(out_bytes);
    if (!data)
        host_fail("no memory for", words[4]);
    host_check("clEnqueueReadBuffer", h->cl->EnqueueReadBuffer(h->queue, out, CL_TRUE, 0, out_bytes, data, 0, NULL, NULL));
    host_write(words[4], data, out_bytes);
    uint64_t took = clock_ns() - start;
    free(data);
    h->cl->ReleaseMemObject(in);
    h->cl->ReleaseMemObject(out);
    return took;
}

/* The same words: the kernel reads and writes the files in place. */
uint64_t host_mapped(const struct host *h, char **words)
{
    struct stat about;
    uint64_t per_in = host_number(words[1], MOST_BYTES), per_out = host_number(words[2], MOST_BYTES);
    unlink(words[4]);
    uint64_t start = clock_ns();
    int from = open(words[3], O_RDONLY | O_CLOEXEC), to = open(words[4], O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (from < 0 || fstat(from, &about) || about.st_size <= 0)
        host_fail("cannot read", words[3]);
    uint64_t in_bytes = (uint64_t)about.st_size, items = in_bytes / per_in, out_bytes = items * per_out;
    if (to < 0 || ftruncate(to, (off_t)out_bytes))
        host_fail("cannot write", words[4]);
    void *source = mmap(NULL, in_bytes, PROT_READ, MAP_SHARED, from, 0);
    void *target = mmap(NULL, out_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, to, 0);
    if (source == MAP_FAILED || target == MAP_FAILED)
        host_fail("cannot map", words[source == MAP_FAILED ? 3 : 4]);
    cl_mem in = host_buffer(h, in_bytes, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, source);
    cl_mem out = host_buffer(h, out_bytes, CL_MEM_WRITE_ONLY | CL_MEM_USE_HOST_PTR, target);
    compute(h, words[0], in, out, items);
    /* Into the buffer's own memory: nothing is copied on a device that works in place. */
    host_check("clEnqueueReadBuffer", h->cl->EnqueueReadBuffer(h->queue, out, CL_TRUE, 0, out_bytes, target, 0, NULL, NULL));
    h->cl->ReleaseMemObject(in);
    h->cl->ReleaseMemObject(out);
    munmap(source, in_bytes);
    munmap(target, out_bytes);
    if (fsync(to) || close(to))
        host_fail("cannot write", words[4]);
    close(from);
    return clock_ns() - start;
}
