#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "futex.h"

struct cell {
    uint64_t seq, tag;
};

struct raw {
    struct bench bench;
    const isle_driver *driver;
    const AccelBaseVTable *base;
    void *state, *device;
    AccelContextHandle context;
    uint32_t length;
    isle_core core;
    uint8_t commands[BENCH_INFLIGHT][192] __attribute__((aligned(64)));
    struct cell ring[BENCH_INFLIGHT] __attribute__((aligned(64)));
    uint64_t tail __attribute__((aligned(64)));
    uint64_t head __attribute__((aligned(64)));
};

static IoResultCode complete(void *core, const isle_completion *c)
{
    struct raw *r = core;
    uint64_t at = __atomic_fetch_add(&r->tail, 1, __ATOMIC_RELAXED);
    struct cell *cell = &r->ring[at % BENCH_INFLIGHT];
    cell->tag = c->tag;
    __atomic_store_n(&cell->seq, at + 1, __ATOMIC_RELEASE);
    return 0;
}

static void log_line(void *core, uint32_t level, const char *text)
{
    (void)core;
    (void)level;
    fprintf(stderr, "driver: %s\n", text);
}

static uint64_t now_ns(void *core)
{
    (void)core;
    return clock_ns();
}

static IoResultCode no_alloc(void *core, AccelContextHandle context, uint64_t size, uint64_t alignment, isle_shared *out)
{
    (void)core, (void)context, (void)size, (void)alignment, (void)out;
    return -ENOMEM;
}

static IoResultCode no_free(void *core, const isle_shared *shared)
{
    (void)core, (void)shared;
    return -ESTALE;
}

static bool submit(struct bench *b, uint32_t index)
{
    struct raw *r = (struct raw *)b;
    AccelSubmissionHandle submission;
    IoResultCode rc = r->base->submit_commands(r->device, r->context, r->commands[index], r->length, NULL, 0, &submission);
    if (rc == -EAGAIN)
        return false;
    bench_check("submit_commands", rc);
    return true;
}

static bool take(struct bench *b)
{
    struct raw *r = (struct raw *)b;
    if (__atomic_load_n(&r->ring[r->head % BENCH_INFLIGHT].seq, __ATOMIC_ACQUIRE) != r->head + 1)
        return false;
    r->head++;
    return true;
}

static void close_raw(struct bench *b)
{
    struct raw *r = (struct raw *)b;
    bench_check("close", r->driver->close(r->device));
    r->driver->fini(r->state);
    free(r);
}

struct bench *bench_raw(const char *library)
{
    struct raw *r = aligned_alloc(64, (sizeof *r + 63) / 64 * 64);
    void *so = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    isle_driver_entry_fn entry = NULL;
    if (so)
        *(void **)&entry = dlsym(so, ISLE_DRIVER_ENTRY);
    if (!r || !entry) {
        fprintf(stderr, "bench-dispatch: %s\n", dlerror());
        exit(1);
    }
    memset(r, 0, sizeof *r);
    r->bench = (struct bench){submit, take, close_raw};
    r->core = (isle_core){sizeof r->core, ISLE_KABI_VERSION, 0, r, complete, log_line, now_ns, no_alloc, no_free, NULL};
    r->driver = entry(ISLE_KABI_VERSION);
    bench_check("entry", r->driver ? 0 : -1);
    const void *base, *programs;
    isle_device_seed seed = {.name = "bench"};
    AccelContextLimits limits = {0};
    isle_program_handle program;
    bench_check("init", r->driver->init(&r->state));
    bench_check("open", r->driver->open(r->state, &seed, NULL, 0, &r->core, &r->device));
    bench_check("get_interface", r->driver->get_interface(r->device, ISLE_IFACE_ACCEL_BASE, &base));
    bench_check("get_interface", r->driver->get_interface(r->device, ISLE_IFACE_PROGRAMS, &programs));
    r->base = base;
    bench_check("create_context", r->base->create_context(r->device, 0, ACCEL_PRIORITY_NORMAL, &limits, &r->context));
    bench_check("load", ((const isle_programs_vtable *)programs)
                            ->load(r->device, r->context, ISLE_PROGRAM_BUILTIN, (const uint8_t *)"noop", 4, NULL, 0, &program));
    for (uint32_t i = 0; i < BENCH_INFLIGHT; i++)
        r->length = bench_noop(r->commands[i], program, i);
    return &r->bench;
}
