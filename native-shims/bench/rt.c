#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "bench.h"

#define STRIDE 256

struct through_rt {
    struct bench bench;
    isle_rt *rt;
    isle_channel_header *channel;
    isle_completion_slot *completions;
    uint8_t *commands;
    uint64_t taken, context;
    uint32_t length;
    uint32_t generation[BENCH_INFLIGHT];
};

static bool submit(struct bench *b, uint32_t index)
{
    struct through_rt *r = (struct through_rt *)b;
    uint64_t tag = (uint64_t)++r->generation[index] << 32 | index;
    IoResultCode rc = isle_rt_submit(r->rt, tag, r->context, index * STRIDE, r->length);
    if (rc == -EAGAIN)
        return false;
    bench_check("isle_rt_submit", rc);
    return true;
}

static bool take(struct bench *b)
{
    struct through_rt *r = (struct through_rt *)b;
    isle_completion_slot *s = &r->completions[r->taken % BENCH_INFLIGHT];
    if (__atomic_load_n(&s->seq, __ATOMIC_ACQUIRE) != r->taken + 1)
        return false;
    r->taken++;
    return true;
}

static void close_rt(struct bench *b)
{
    struct through_rt *r = (struct through_rt *)b;
    bench_check("isle_rt_unload", isle_rt_unload(r->rt));
    free(r);
}

static void control(isle_rt *rt, uint32_t op, const void *body, uint32_t length, const char *tail)
{
    static uint8_t request[4096] __attribute__((aligned(8))), response[ISLE_CONTROL_BYTES] __attribute__((aligned(8)));
    uint32_t extra = tail ? (uint32_t)strlen(tail) : 0;
    isle_control_request q = {.op = op, .length = length + extra};
    isle_control_response r;
    memcpy(request, &q, sizeof q);
    memcpy(request + sizeof q, body, length);
    if (tail)
        memcpy(request + sizeof q + length, tail, extra);
    int64_t n = isle_rt_control(rt, request, (uint32_t)sizeof q + q.length, response, sizeof response);
    bench_check("isle_rt_control", n < 0 ? (int)n : 0);
    memcpy(&r, response, sizeof r);
    bench_check("a control call", r.result);
}

static void *pages(uint64_t size)
{
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        bench_check("mmap", -errno);
    return p;
}

struct bench *bench_rt(const char *library)
{
    struct through_rt *r = calloc(1, sizeof *r);
    uint64_t rings = 4096 + BENCH_INFLIGHT * sizeof(isle_completion_slot), size = rings + BENCH_INFLIGHT * sizeof(isle_started);
    char why[256];
    if (!r)
        bench_check("calloc", -ENOMEM);
    isle_channel_header *h = pages(size);
    r->bench = (struct bench){submit, take, close_rt};
    r->channel = h;
    r->commands = pages(BENCH_INFLIGHT * STRIDE);
    r->context = (uint64_t)ISLE_KIND_CONTEXT << 56 | 1ull << 32 | 1;
    h->magic = ISLE_CHANNEL_MAGIC;
    h->abi = ISLE_CHANNEL_ABI;
    h->total_size = size;
    h->completion_capacity = h->max_inflight = BENCH_INFLIGHT;
    h->completion_offset = 4096;
    h->started_offset = rings;
    r->completions = (isle_completion_slot *)(void *)((uint8_t *)h + 4096);
    int rc = isle_rt_load(library, h, why, sizeof why, &r->rt);
    if (rc < 0)
        fprintf(stderr, "bench-dispatch: %s\n", why);
    bench_check("isle_rt_load", rc);
    bench_check("isle_rt_add_segment", isle_rt_add_segment(r->rt, ISLE_SEGMENT_COMMANDS, r->commands, BENCH_INFLIGHT * STRIDE, 0));
    bench_check("isle_rt_add_segment", isle_rt_add_segment(r->rt, ISLE_SEGMENT_DOORBELL, pages(4096), 4096, 1));
    bench_check("isle_rt_add_segment", isle_rt_add_segment(r->rt, ISLE_SEGMENT_AGENT, pages(4096), 4096, 0));
    uint64_t program = (uint64_t)ISLE_KIND_PROGRAM << 56 | 1ull << 32 | 1;
    isle_open_request open = {.seed = {.name = "bench"}};
    isle_create_context create = {.context = r->context, .priority = ACCEL_PRIORITY_NORMAL};
    isle_load_request load = {.context = r->context, .program = program, .kind = ISLE_PROGRAM_BUILTIN, .length = 4};
    control(r->rt, ISLE_OP_OPEN, &open, sizeof open, NULL);
    control(r->rt, ISLE_OP_CREATE_CONTEXT, &create, sizeof create, NULL);
    control(r->rt, ISLE_OP_LOAD_PROGRAM, &load, sizeof load, "noop");
    for (uint32_t i = 0; i < BENCH_INFLIGHT; i++)
        r->length = bench_noop(r->commands + i * STRIDE, program, 0);
    return &r->bench;
}
