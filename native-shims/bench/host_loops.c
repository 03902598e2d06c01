#define _GNU_SOURCE
#include <stdlib.h>

#include "futex.h"
#include "host.h"

#define TILE 16u          /* edge of a work-group of the stencil */
#define SORT_TILE 1024u   /* pairs that a work-group sorts */
#define SORT_TILE_LOG 10u
#define SORT_LOCAL 512u   /* work items for them */
#define PAIR_BYTES 8u
#define MOST_EDGE 8192u
#define MOST_TURNS 100000000u

/* Enqueued work begins, however much more is enqueued. */
#define FLUSH_EVERY 64u

static cl_mem loaded(const struct host *h, const char *file, uint64_t expected)
{
    uint64_t bytes;
    void *data = host_read(file, &bytes);
    if (bytes != expected)
        host_fail("unexpected size of", file);
    cl_mem buffer = host_buffer(h, bytes, CL_MEM_READ_WRITE, NULL);
    host_check("clEnqueueWriteBuffer", h->cl->EnqueueWriteBuffer(h->queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL));
    free(data);
    return buffer;
}

static void save(const struct host *h, cl_mem buffer, const char *file, uint64_t bytes)
{
    void *data = malloc(bytes);
    if (!data)
        host_fail("no memory for", file);
    host_check("clEnqueueReadBuffer", h->cl->EnqueueReadBuffer(h->queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL));
    host_write(file, data, bytes);
    free(data);
}

static void set_pair(const struct host *h, cl_kernel kernel, const cl_mem pair[2])
{
    host_set(h, kernel, 0, sizeof(cl_mem), &pair[0]);
    host_set(h, kernel, 1, sizeof(cl_mem), &pair[1]);
}

static void swap(cl_mem pair[2])
{
    cl_mem first = pair[0];
    pair[0] = pair[1];
    pair[1] = first;
}

/* EDGE TURNS IN OUT */
uint64_t host_stencil(const struct host *h, char **words)
{
    cl_uint edge = (cl_uint)host_number(words[0], MOST_EDGE);
    uint64_t turns = host_number(words[1], MOST_TURNS), bytes = (uint64_t)edge * edge * sizeof(float);
    size_t rounded = (edge + TILE - 1) / TILE * TILE, size[2] = {rounded, rounded}, local[2] = {TILE, TILE};
    cl_kernel kernel = host_kernel(h, "diffuse");
    cl_mem plates[2] = {loaded(h, words[2], bytes), host_buffer(h, bytes, CL_MEM_READ_WRITE, NULL)};
    host_set(h, kernel, 2, sizeof edge, &edge);
    host_set(h, kernel, 3, sizeof edge, &edge);
    uint64_t start = clock_ns();
    for (uint64_t t = 0; t < turns; t++, swap(plates)) {
        set_pair(h, kernel, plates);
        host_start(h, kernel, 2, size, local);
        if (t % FLUSH_EVERY == 0)
            host_check("clFlush", h->cl->Flush(h->queue));
    }
    host_finish(h);
    uint64_t took = clock_ns() - start;
    save(h, plates[0], words[3], bytes);
    h->cl->ReleaseMemObject(plates[0]);
    h->cl->ReleaseMemObject(plates[1]);
    return took;
}

/* EDGE CHECK IN OUT */
uint64_t host_until(const struct host *h, char **words)
{
    cl_uint edge = (cl_uint)host_number(words[0], MOST_EDGE), changed = 1;
    uint64_t every = host_number(words[1], MOST_TURNS), bytes = (uint64_t)edge * edge * sizeof(float);
    size_t one = 1, size[2] = {edge, edge};
    cl_kernel reset = host_kernel(h, "reset"), relax = host_kernel(h, "relax");
    cl_mem plates[2] = {loaded(h, words[2], bytes), host_buffer(h, bytes, CL_MEM_READ_WRITE, NULL)};
    cl_mem flag = host_buffer(h, sizeof changed, CL_MEM_READ_WRITE, NULL);
    host_set(h, reset, 0, sizeof(cl_mem), &flag);
    host_set(h, relax, 2, sizeof(cl_mem), &flag);
    uint64_t start = clock_ns();
    for (uint64_t t = 1; changed; t++) {
        host_start(h, reset, 1, &one, NULL);
        set_pair(h, relax, plates);
        host_start(h, relax, 2, size, NULL);
        swap(plates);
        if (t % every == 0)
            host_check("clEnqueueReadBuffer",
                       h->cl->EnqueueReadBuffer(h->queue, flag, CL_TRUE, 0, sizeof changed, &changed, 0, NULL, NULL));
    }
    uint64_t took = clock_ns() - start;
    save(h, plates[0], words[3], bytes);
    h->cl->ReleaseMemObject(plates[0]);
    h->cl->ReleaseMemObject(plates[1]);
    h->cl->ReleaseMemObject(flag);
    return took;
}

/* LOG2_COUNT IN OUT */
uint64_t host_sort(const struct host *h, char **words)
{
    cl_uint log = (cl_uint)host_number(words[0], 28);
    uint64_t count = 1ull << log, bytes = count * PAIR_BYTES;
    if (count < SORT_TILE)
        host_fail("LOG2_COUNT must be at least 10, not", words[0]);
    size_t size = count / 2, local = SORT_LOCAL;
    cl_kernel tiles = host_kernel(h, "sort_tiles"), exchange = host_kernel(h, "exchange"), merge = host_kernel(h, "merge_tiles");
    cl_mem pairs = loaded(h, words[1], bytes);
    host_set(h, tiles, 0, sizeof(cl_mem), &pairs);
    host_set(h, exchange, 0, sizeof(cl_mem), &pairs);
    host_set(h, merge, 0, sizeof(cl_mem), &pairs);
    uint64_t start = clock_ns();
    host_start(h, tiles, 1, &size, &local);
    host_check("clFlush", h->cl->Flush(h->queue));
    for (cl_uint k = SORT_TILE_LOG + 1; k <= log; k++) {
        host_set(h, exchange, 1, sizeof k, &k);
        host_set(h, merge, 1, sizeof k, &k);
        for (cl_uint j = k - 1; j >= SORT_TILE_LOG; j--) {
            host_set(h, exchange, 2, sizeof j, &j);
            host_start(h, exchange, 1, &size, NULL);
        }
        host_start(h, merge, 1, &size, &local);
    }
    host_finish(h);
    uint64_t took = clock_ns() - start;
    save(h, pairs, words[2], bytes);
    h->cl->ReleaseMemObject(pairs);
    return took;
}
