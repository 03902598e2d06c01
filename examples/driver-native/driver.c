/*
 * A small driver, complete: its "device" is one thread that runs work in order. Replace the parts marked DEVICE by yours.
 *
 * Lanes (isle_kabi.h): control calls come one at a time; submit_commands comes from one other thread and may run beside them; the
 * worker is ours. So what only control calls touch needs no lock, and what is shared is atomic.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <isle_kabi.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef VERSION
#define VERSION "1.0.0"
#endif
#define PAGE 4096u
#define MAX_CONTEXTS 64u
#define MAX_MEMORIES 4096u
#define QUEUE 1024u /* as many as the core has in flight at most */
#define MAX_BUSY_US 3600000000ull

/* A handle is generation << 32 | index + 1, so that an old one never names a new object. */
struct context {
    _Atomic uint64_t handle; /* 0: free */
    uint32_t generation;
    uint64_t limit, used; /* bytes; control */
};

struct memory {
    _Atomic uint64_t handle;
    _Atomic uint32_t users; /* submissions in flight that name it */
    uint32_t generation;
    AccelContextHandle context;
    isle_shared where;
};

/* A place of the queue. `word` is position << 2 | phase: who changes the phase by compare-and-swap owns the work of that position. */
enum phase { QUEUED = 1, RUNNING = 2, TAKEN = 3 };

struct work {
    _Atomic uint64_t word;
    _Atomic uint64_t context;
    const uint8_t *_Atomic command;
};

struct device {
    const isle_core *core;
    uint64_t memory_bytes, memory_used; /* control */
    uint32_t max_contexts, contexts_used;
    struct context contexts[MAX_CONTEXTS];
    struct memory memories[MAX_MEMORIES];
    struct work queue[QUEUE];
    _Atomic uint64_t head, tail; /* positions: the worker's next, submit's next */
    _Atomic uint64_t stop;       /* position + 1 of running work that must end */
    _Atomic int stop_code;
    _Atomic uint64_t busy_ns;
    uint64_t reported_ns, reported_busy_ns; /* control */
    _Atomic bool ending;
    sem_t wake;
    pthread_t worker;
};

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
}

static struct context *context_of(struct device *d, AccelContextHandle handle)
{
    uint32_t index = (uint32_t)handle - 1;
    return index < MAX_CONTEXTS && atomic_load(&d->contexts[index].handle) == handle ? &d->contexts[index] : NULL;
}

static struct memory *memory_at(struct device *d, AccelMemHandle handle)
{
    uint32_t index = (uint32_t)handle - 1;
    return index < MAX_MEMORIES ? &d->memories[index] : NULL;
}

static struct memory *memory_of(struct device *d, AccelMemHandle handle)
{
    struct memory *m = memory_at(d, handle);
    return m && atomic_load(&m->handle) == handle ? m : NULL;
}

/* Programs */

enum { NOOP, BUSY, FILL, COPY, HISTOGRAM, PROGRAMS };

static const isle_program_entry programs[PROGRAMS] = {
    [NOOP] = {.name = "noop"},
    [BUSY] = {.name = "busy", .arg_count = 1, .arg_kinds = {ISLE_ARG_U64}},
    [FILL] = {.name = "fill", .arg_count = 2, .arg_kinds = {ISLE_ARG_BUFFER, ISLE_ARG_U32}, .arg_access = {ISLE_ACCESS_WRITE}},
    [COPY] = {.name = "copy",
              .arg_count = 2,
              .arg_kinds = {ISLE_ARG_BUFFER, ISLE_ARG_BUFFER},
              .arg_access = {ISLE_ACCESS_READ, ISLE_ACCESS_WRITE}},
    [HISTOGRAM] = {.name = "histogram",
                   .arg_count = 2,
                   .arg_kinds = {ISLE_ARG_BUFFER, ISLE_ARG_BUFFER},
                   .arg_access = {ISLE_ACCESS_READ, ISLE_ACCESS_WRITE}},
};

static IoResultCode load(void *ctx, AccelContextHandle context, uint32_t kind, const uint8_t *source, uint64_t length, char *log,
                         uint64_t log_size, isle_program_handle *out)
{
    (void)log, (void)log_size;
    if (!context_of(ctx, context))
        return -ESTALE;
    if (kind != ISLE_PROGRAM_BUILTIN)
        return IO_NOT_SUPPORTED;
    for (uint32_t i = 0; i < PROGRAMS; i++) {
        if (length == strlen(programs[i].name) && !memcmp(source, programs[i].name, length)) {
            *out = i + 1; /* nothing is kept: the program is its number */
            return 0;
        }
    }
    return -ENOENT;
}

static IoResultCode unload(void *ctx, isle_program_handle program)
{
    (void)ctx;
    return program - 1 < PROGRAMS ? 0 : -ESTALE;
}

static IoResultCode describe(void *ctx, isle_program_handle program, uint32_t entry, isle_program_entry *out)
{
    (void)ctx;
    if (program - 1 >= PROGRAMS)
        return -ESTALE;
    if (entry)
        return -ENOENT;
    *out = programs[program - 1];
    return 0;
}

static IoResultCode builtin(void *ctx, uint32_t index, isle_program_entry *out)
{
    (void)ctx;
    if (index >= PROGRAMS)
        return -ENOENT;
    *out = programs[index];
    return 0;
}

/* Running: DEVICE */

struct run {
    struct device *d;
    uint64_t position;
    const isle_binding *bindings;
    uint32_t binding_count;
};

struct range {
    uint8_t *bytes;
    uint64_t size;
};

static int stopped(const struct run *r)
{
    return atomic_load(&r->d->stop) == r->position + 1 ? atomic_load(&r->d->stop_code) : 0;
}

/* Memory of a binding: the core has checked that it lies inside its memory; submit holds that. */
static bool bound(const struct run *r, uint32_t index, uint32_t access, struct range *out)
{
    if (index >= r->binding_count || (r->bindings[index].access & ISLE_ACCESS_PROGRAM) || !(r->bindings[index].access & access))
        return false;
    const isle_binding *b = &r->bindings[index];
    *out = (struct range){(uint8_t *)memory_at(r->d, b->object)->where.pointer + b->offset, b->length};
    return true;
}

static void fill(struct range to, uint32_t pattern)
{
    for (uint64_t i = 0; i < to.size; i++)
        to.bytes[i] = (uint8_t)(pattern >> 8 * (i & 3));
}

static int busy(const struct run *r, uint64_t us)
{
    if (us > MAX_BUSY_US)
        return -EINVAL;
    for (uint64_t end = now_ns() + us * 1000; now_ns() < end && !stopped(r);)
        nap();
    return 0;
}

static int histogram(struct range from, struct range to)
{
    uint64_t counts[256] = {0};
    if (to.size < sizeof counts)
        return -EINVAL;
    for (uint64_t i = 0; i < from.size; i++)
        counts[from.bytes[i]]++;
    memcpy(to.bytes, counts, sizeof counts);
    return 0;
}

static int dispatch(const struct run *r, const isle_op_dispatch *op)
{
    uint64_t program = r->bindings[op->program].object - 1;
    if (program >= PROGRAMS || op->entry || op->arg_count != programs[program].arg_count)
        return -EINVAL;
    struct range buffers[2] = {0};
    for (uint32_t i = 0; i < op->arg_count; i++) {
        if (op->args[i].kind != programs[program].arg_kinds[i])
            return -EINVAL;
        if (op->args[i].kind == ISLE_ARG_BUFFER && !bound(r, op->args[i].binding, programs[program].arg_access[i], &buffers[i]))
            return -EINVAL;
    }
    switch (program) {
    case BUSY:
        return busy(r, op->args[0].value);
    case FILL:
        fill(buffers[0], (uint32_t)op->args[1].value);
        return 0;
    case COPY:
        if (buffers[0].size > buffers[1].size)
            return -EINVAL;
        memmove(buffers[1].bytes, buffers[0].bytes, buffers[0].size);
        return 0;
    case HISTOGRAM:
        return histogram(buffers[0], buffers[1]);
    default:
        return 0;
    }
}

/* Lengths, binding indices and ranges of copies and fills have been checked by the core. */
static int run_op(const struct run *r, const uint8_t *at)
{
    const isle_op_copy *c = (const void *)at;
    const isle_op_fill *f = (const void *)at;
    struct range to, from;
    switch (((const isle_op *)(const void *)at)->code) {
    case ISLE_OP_COPY:
        if (!bound(r, c->dst, ISLE_ACCESS_WRITE, &to) || !bound(r, c->src, ISLE_ACCESS_READ, &from))
            return -EINVAL;
        memmove(to.bytes + c->dst_offset, from.bytes + c->src_offset, c->bytes);
        return 0;
    case ISLE_OP_FILL:
        if (!bound(r, f->dst, ISLE_ACCESS_WRITE, &to))
            return -EINVAL;
        fill((struct range){to.bytes + f->offset, f->bytes}, f->pattern);
        return 0;
    case ISLE_OP_DISPATCH:
        return dispatch(r, (const void *)at);
    default:
        return IO_NOT_SUPPORTED;
    }
}

static const isle_binding *bindings_of(const uint8_t *command)
{
    const isle_command *h = (const void *)command;
    return (const void *)(command + sizeof *h + h->wait_count * sizeof(isle_wait));
}

static int run_command(struct device *d, uint64_t position, const uint8_t *command)
{
    const isle_command *h = (const void *)command;
    struct run r = {d, position, bindings_of(command), h->binding_count};
    const uint8_t *at = (const void *)(r.bindings + h->binding_count);
    for (uint32_t i = 0; i < h->op_count; i++) {
        int rc = stopped(&r) ? stopped(&r) : run_op(&r, at);
        if (rc)
            return rc;
        at += ((const isle_op *)(const void *)at)->length;
    }
    return stopped(&r);
}

/* Lets go of memory, then tells: the command is not ours any more once that has returned. */
static void finish(struct device *d, const uint8_t *command, int code, uint64_t start, uint64_t end)
{
    const isle_command *h = (const void *)command;
    const isle_binding *b = bindings_of(command);
    isle_completion done = {.tag = h->tag,
                            .status = code ? ACCEL_COMPLETION_ERROR : ACCEL_COMPLETION_SUCCESS,
                            .detail = code,
                            .start_ns = start,
                            .end_ns = end,
                            .busy_ns = end - start};
    for (uint32_t i = 0; i < h->binding_count; i++)
        if (b[i].access != ISLE_ACCESS_PROGRAM)
            atomic_fetch_sub(&memory_at(d, b[i].object)->users, 1);
    d->core->complete(d->core->core, &done);
}

static void work_at(struct device *d, uint64_t position)
{
    struct work *w = &d->queue[position % QUEUE];
    uint64_t queued = position << 2 | QUEUED;
    if (!atomic_compare_exchange_strong(&w->word, &queued, position << 2 | RUNNING))
        return; /* it was cancelled */
    const uint8_t *command = atomic_load(&w->command);
    uint64_t start = now_ns();
    if (ISLE_CORE_HAS(d->core, started))
        d->core->started(d->core->core, ((const isle_command *)(const void *)command)->tag, start);
    int code = run_command(d, position, command);
    uint64_t end = now_ns();
    atomic_fetch_add(&d->busy_ns, end - start);
    finish(d, command, code, start, end);
    atomic_store(&w->word, position << 2 | TAKEN);
}

static void *worker(void *arg)
{
    struct device *d = arg;
    while (!atomic_load(&d->ending)) {
        while (sem_wait(&d->wake) && errno == EINTR)
            continue;
        for (uint64_t p = atomic_load(&d->head); p < atomic_load(&d->tail); p++) {
            work_at(d, p);
            atomic_store(&d->head, p + 1);
        }
    }
    return NULL;
}

/* Submissions */

static bool hold(struct device *d, const isle_binding *b)
{
    struct memory *m = memory_at(d, b->object);
    if (!m)
        return false;
    atomic_fetch_add(&m->users, 1); /* first this, then the look at the handle: see free_device_memory */
    if (atomic_load(&m->handle) == b->object)
        return true;
    atomic_fetch_sub(&m->users, 1);
    return false;
}

/* Data lane: never waits. The core keeps the command unchanged until its completion. */
static IoResultCode submit_commands(void *ctx, AccelContextHandle context, const uint8_t *command, uint32_t length,
                                    const AccelFence *fences, uint32_t fence_count, AccelSubmissionHandle *out)
{
    struct device *d = ctx;
    const isle_command *h = (const void *)command;
    const isle_binding *b = bindings_of(command);
    uint64_t position = atomic_load(&d->tail);
    (void)fences, (void)length;
    if (fence_count)
        return IO_NOT_SUPPORTED; /* waits are the core's */
    if (!context_of(d, context))
        return -ESTALE;
    if (position - atomic_load(&d->head) >= QUEUE)
        return -EAGAIN;
    for (uint32_t i = 0; i < h->binding_count; i++) {
        if (b[i].access == ISLE_ACCESS_PROGRAM || hold(d, &b[i]))
            continue;
        while (i-- > 0)
            if (b[i].access != ISLE_ACCESS_PROGRAM)
                atomic_fetch_sub(&memory_at(d, b[i].object)->users, 1);
        return -ESTALE;
    }
    struct work *w = &d->queue[position % QUEUE];
    atomic_store(&w->command, command);
    atomic_store(&w->context, context);
    atomic_store(&w->word, position << 2 | QUEUED);
    *out = position + 1;
    atomic_store(&d->tail, position + 1);
    sem_post(&d->wake);
    return 0;
}

/* Not used: this driver completes by itself (ISLE_DRIVER_COMPLETES). */
static IoResultCode poll_completion(void *ctx, AccelSubmissionHandle submission, AccelCompletionStatus *out)
{
    (void)ctx, (void)submission, (void)out;
    return IO_NOT_SUPPORTED;
}

/* Control lane: ends all work of a context (0: of all) with this code, and returns when it has ended. No more comes meanwhile. */
static void cancel(struct device *d, AccelContextHandle context, int code)
{
    uint64_t end = atomic_load(&d->tail);
    for (uint64_t p = atomic_load(&d->head); p < end; p++) {
        struct work *w = &d->queue[p % QUEUE];
        const uint8_t *command = atomic_load(&w->command);
        uint64_t word = p << 2 | QUEUED;
        if (context && atomic_load(&w->context) != context)
            continue;
        if (atomic_compare_exchange_strong(&w->word, &word, p << 2 | TAKEN)) {
            uint64_t now = now_ns();
            finish(d, command, code, now, now);
            continue;
        }
        atomic_store(&d->stop_code, code);
        atomic_store(&d->stop, p + 1);
        while (atomic_load(&w->word) == (p << 2 | RUNNING))
            nap();
    }
}

/* Contexts and memory */

static IoResultCode create_context(void *ctx, uint32_t owner_pid, AccelPriority priority, const AccelContextLimits *limits,
                                   AccelContextHandle *out)
{
    struct device *d = ctx;
    (void)owner_pid;
    if (priority > ACCEL_PRIORITY_REALTIME)
        return -EINVAL;
    for (uint32_t i = 0; i < d->max_contexts; i++) {
        struct context *c = &d->contexts[i];
        if (atomic_load(&c->handle))
            continue;
        c->generation++;
        c->limit = limits->max_memory_bytes;
        c->used = 0;
        *out = (uint64_t)c->generation << 32 | (i + 1);
        atomic_store(&c->handle, *out);
        d->contexts_used++;
        return 0;
    }
    return -ENOSPC;
}

static IoResultCode alloc_device_memory(void *ctx, AccelContextHandle context, uint64_t size, uint64_t alignment,
                                        AccelPageSize page_size, AccelMemFlags flags, AccelMemHandle *out)
{
    struct device *d = ctx;
    struct context *c = context_of(d, context);
    if (!c)
        return -ESTALE;
    if (!size || (alignment & (alignment - 1)) || alignment > PAGE || page_size > ACCEL_PAGE_DEVICE_OPTIMAL || (flags & ~ACCEL_MEM_ALL))
        return -EINVAL;
    if (page_size == ACCEL_PAGE_HUGE_2M || page_size == ACCEL_PAGE_HUGE_1G)
        return IO_NOT_SUPPORTED;
    if (size > d->memory_bytes)
        return -ENOMEM;
    size = (size + PAGE - 1) / PAGE * PAGE;
    if (size > d->memory_bytes - d->memory_used || (c->limit && (c->used > c->limit || size > c->limit - c->used)))
        return -ENOMEM;
    for (uint32_t i = 0; i < MAX_MEMORIES; i++) {
        struct memory *m = &d->memories[i];
        if (atomic_load(&m->handle) || atomic_load(&m->users))
            continue;
        IoResultCode rc = d->core->alloc_shared(d->core->core, context, size, PAGE, &m->where);
        if (rc)
            return rc;
        m->where.size = size;
        m->context = context;
        m->generation++;
        c->used += size;
        d->memory_used += size;
        *out = (uint64_t)m->generation << 32 | (i + 1);
        atomic_store(&m->handle, *out);
        return 0;
    }
    return -ENOMEM;
}

/* submit counts itself in and then looks at the handle; this takes the handle away and then looks at the count. */
static IoResultCode free_device_memory(void *ctx, AccelMemHandle handle)
{
    struct device *d = ctx;
    struct memory *m = memory_of(d, handle);
    if (!m)
        return -ESTALE;
    atomic_store(&m->handle, 0);
    if (atomic_load(&m->users)) {
        atomic_store(&m->handle, handle);
        return -EBUSY;
    }
    struct context *c = context_of(d, m->context);
    if (c)
        c->used -= m->where.size;
    d->memory_used -= m->where.size;
    d->core->free_shared(d->core->core, &m->where);
    return 0;
}

static IoResultCode map_device_memory(void *ctx, AccelMemHandle handle, uint64_t offset, uint64_t size, uint64_t *out)
{
    struct memory *m = memory_of(ctx, handle);
    if (!m)
        return -ESTALE;
    if (!size || offset > m->where.size || size > m->where.size - offset)
        return -EINVAL;
    *out = (uint64_t)(uintptr_t)m->where.pointer + offset;
    return 0;
}

/* Where tenants and the core see it. */
static IoResultCode locate(void *ctx, AccelMemHandle handle, isle_shared *out)
{
    struct memory *m = memory_of(ctx, handle);
    if (!m)
        return -ESTALE;
    *out = m->where;
    return 0;
}

static void free_all(struct device *d, AccelContextHandle context)
{
    for (uint32_t i = 0; i < MAX_MEMORIES; i++) {
        uint64_t handle = atomic_load(&d->memories[i].handle);
        while (handle && (!context || d->memories[i].context == context) && free_device_memory(d, handle) == -EBUSY)
            nap();
    }
}

static IoResultCode destroy_context(void *ctx, AccelContextHandle context)
{
    struct device *d = ctx;
    struct context *c = context_of(d, context);
    if (!c)
        return -ESTALE;
    cancel(d, context, -ISLE_ECLOSED);
    free_all(d, context);
    atomic_store(&c->handle, 0);
    d->contexts_used--;
    return 0;
}

static IoResultCode reset_context(void *ctx, AccelContextHandle context)
{
    if (!context_of(ctx, context))
        return -ESTALE;
    cancel(ctx, context, -EINTR);
    return 0;
}

static IoResultCode reset_device(void *ctx)
{
    cancel(ctx, 0, -EINTR);
    return 0;
}

/* What the device says of itself: DEVICE */

static IoResultCode get_info(void *ctx, AccelDeviceInfo *out)
{
    const struct device *d = ctx;
    *out = (AccelDeviceInfo){.device_class = ACCEL_CLASS_GPU_COMPUTE,
                             .compute_units = 1,
                             .local_memory_bytes = d->memory_bytes,
                             .max_contexts = d->max_contexts,
                             .preemption_granularity = PREEMPTION_NONE,
                             .max_cmd_buffer_size = 65536,
                             .memory_types = ACCEL_MEMTYPE_LOCAL | ACCEL_MEMTYPE_CPU_VISIBLE | ACCEL_MEMTYPE_COHERENT};
    return 0;
}

/* The load since it was asked for last. */
static IoResultCode get_utilization(void *ctx, AccelUtilization *out)
{
    struct device *d = ctx;
    uint64_t now = now_ns(), busy_now = atomic_load(&d->busy_ns);
    uint64_t passed = now - d->reported_ns, worked = busy_now - d->reported_busy_ns;
    *out = (AccelUtilization){.compute_percent = passed && worked < passed ? (uint32_t)(worked * 100 / passed) : worked ? 100 : 0,
                              .memory_used_bytes = d->memory_used,
                              .memory_total_bytes = d->memory_bytes,
                              .active_contexts = d->contexts_used};
    d->reported_ns = now;
    d->reported_busy_ns = busy_now;
    return 0;
}

static IoResultCode get_power_state(void *ctx, AccelPowerState *out)
{
    (void)ctx;
    *out = (AccelPowerState){.state = ACCEL_POWER_D0_ACTIVE};
    return 0;
}

/* The driver */

static const AccelBaseVTable base = {.vtable_size = sizeof base,
                                     .version = ISLE_KABI_VERSION,
                                     .get_info = get_info,
                                     .create_context = create_context,
                                     .destroy_context = destroy_context,
                                     .submit_commands = submit_commands,
                                     .poll_completion = poll_completion,
                                     .alloc_device_memory = alloc_device_memory,
                                     .free_device_memory = free_device_memory,
                                     .map_device_memory = map_device_memory,
                                     .get_utilization = get_utilization,
                                     .get_power_state = get_power_state,
                                     .reset_context = reset_context,
                                     .reset_device = reset_device};

static const isle_programs_vtable programs_table = {.vtable_size = sizeof programs_table,
                                                    .version = ISLE_KABI_VERSION,
                                                    .kinds = 1u << ISLE_PROGRAM_BUILTIN,
                                                    .load = load,
                                                    .unload = unload,
                                                    .describe = describe,
                                                    .builtin = builtin};

static const isle_shared_memory_vtable shared_table = {.vtable_size = sizeof shared_table, .version = ISLE_KABI_VERSION, .locate = locate};

static const isle_setting settings[] = {
    {.key = "memory_bytes", .type = ISLE_SETTING_BYTES, .min = 1 << 20, .max = 1ll << 36, .default_value = "67108864", .help = "device memory"},
    {.key = "max_contexts", .type = ISLE_SETTING_INT, .min = 1, .max = MAX_CONTEXTS, .default_value = "16", .help = "contexts at a time"},
};

static IoResultCode driver_init(void **out)
{
    *out = NULL;
    return 0;
}

/* DEVICE: look for the hardware here, and touch nothing. */
static IoResultCode driver_probe(void *driver, uint32_t index, isle_device_seed *out)
{
    (void)driver;
    if (index)
        return -ENOENT;
    *out = (isle_device_seed){.name = "demo", .summary = "a thread that counts bytes"};
    return 0;
}

static IoResultCode device_open(void *driver, const isle_device_seed *seed, const isle_setting_value *values, uint32_t count,
                                const isle_core *core, void **out)
{
    struct device *d = calloc(1, sizeof *d);
    (void)driver, (void)seed;
    if (!d)
        return -ENOMEM;
    d->core = core;
    d->memory_bytes = 64 << 20;
    d->max_contexts = 16;
    for (uint32_t i = 0; i < count; i++) { /* the core has checked them against `settings` */
        if (!strcmp(values[i].key, "memory_bytes"))
            d->memory_bytes = strtoull(values[i].value, NULL, 10) / PAGE * PAGE;
        else if (!strcmp(values[i].key, "max_contexts"))
            d->max_contexts = (uint32_t)strtoul(values[i].value, NULL, 10);
    }
    d->reported_ns = now_ns();
    sem_init(&d->wake, 0, 0);
    int error = pthread_create(&d->worker, NULL, worker, d);
    if (error) {
        sem_destroy(&d->wake);
        free(d);
        return -error;
    }
    *out = d;
    return 0;
}

static IoResultCode get_interface(void *device, uint32_t id, const void **out)
{
    (void)device;
    *out = id == ISLE_IFACE_ACCEL_BASE      ? (const void *)&base
           : id == ISLE_IFACE_PROGRAMS      ? (const void *)&programs_table
           : id == ISLE_IFACE_SHARED_MEMORY ? (const void *)&shared_table
                                            : NULL;
    return *out ? 0 : -ENOENT;
}

static IoResultCode device_close(void *device)
{
    struct device *d = device;
    cancel(d, 0, -ISLE_ECLOSED);
    atomic_store(&d->ending, true);
    sem_post(&d->wake);
    pthread_join(d->worker, NULL);
    free_all(d, 0);
    sem_destroy(&d->wake);
    free(d);
    return 0;
}

static void driver_fini(void *driver)
{
    (void)driver;
}

const isle_driver *isle_driver_entry(uint32_t kabi)
{
    static const isle_driver driver = {.struct_size = sizeof driver,
                                       .kabi_version = ISLE_KABI_VERSION,
                                       .flags = ISLE_DRIVER_COMPLETES,
                                       .name = "demo",
                                       .version = VERSION,
                                       .settings = settings,
                                       .setting_count = sizeof settings / sizeof settings[0],
                                       .init = driver_init,
                                       .probe = driver_probe,
                                       .open = device_open,
                                       .get_interface = get_interface,
                                       .close = device_close,
                                       .fini = driver_fini};
    return kabi >> 16 == ISLE_KABI_MAJOR ? &driver : NULL;
}
