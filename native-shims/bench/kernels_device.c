#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "futex.h"
#include "kernels.h"

#define SPIN_NS 20000

struct kernel_device {
    const isle_driver *driver;
    const AccelBaseVTable *base;
    void *state, *device;
    AccelContextHandle context;
    isle_program_handle program;
    isle_core core;
    uint32_t buffers;
    AccelMemHandle memory[KERNEL_BUFFERS];
    void *pointer[KERNEL_BUFFERS];
    uint64_t bytes[KERNEL_BUFFERS];
    int32_t detail;
    uint32_t done;
};

static void check(const char *what, IoResultCode rc)
{
    if (rc >= 0)
        return;
    fprintf(stderr, "bench-kernels: %s failed with %d\n", what, rc);
    exit(1);
}

static uint64_t now(void *core)
{
    (void)core;
    return clock_ns();
}

static IoResultCode complete(void *core, const isle_completion *c)
{
    struct kernel_device *d = core;
    d->detail = c->status == ACCEL_COMPLETION_SUCCESS ? 0 : c->detail ? c->detail : -EIO;
    __atomic_store_n(&d->done, 1, __ATOMIC_RELEASE);
    futex_wake_all(&d->done);
    return 0;
}

static void log_line(void *core, uint32_t level, const char *text)
{
    (void)core, (void)level;
    fprintf(stderr, "driver: %s\n", text);
}

static IoResultCode alloc_shared(void *core, AccelContextHandle context, uint64_t size, uint64_t alignment, isle_shared *out)
{
    (void)core, (void)context;
    *out = (isle_shared){.size = size, .pointer = aligned_alloc(alignment < 4096 ? 4096 : alignment, (size + 4095) / 4096 * 4096)};
    if (!out->pointer)
        return -ENOMEM;
    memset(out->pointer, 0, size);
    return 0;
}

static IoResultCode free_shared(void *core, const isle_shared *shared)
{
    (void)core;
    free(shared->pointer);
    return 0;
}

static void allocate(struct kernel_device *d, uint32_t i, uint64_t bytes)
{
    uint64_t address;
    check("alloc_device_memory", d->base->alloc_device_memory(d->device, d->context, bytes, 64, ACCEL_PAGE_STANDARD,
                                                              ACCEL_MEM_CPU_VISIBLE | ACCEL_MEM_COHERENT, &d->memory[i]));
    check("map_device_memory", d->base->map_device_memory(d->device, d->memory[i], 0, bytes, &address));
    d->pointer[i] = (void *)(uintptr_t)address;
    d->bytes[i] = bytes;
}

struct kernel_device *kernel_device_open(const char *library, const char *program, const uint64_t *bytes, uint32_t buffers,
                                         const char *simd)
{
    struct kernel_device *d = calloc(1, sizeof *d);
    void *so = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    isle_driver_entry_fn entry = NULL;
    if (so)
        *(void **)&entry = dlsym(so, ISLE_DRIVER_ENTRY);
    if (!d || !entry) {
        fprintf(stderr, "bench-kernels: %s\n", dlerror());
        exit(1);
    }
    isle_setting_value values[] = {{"compute_units", "1"}, {"memory_bytes", "4GiB"}, {"simd", simd}};
    const void *base, *programs;
    isle_device_seed seed = {.name = "bench"};
    AccelContextLimits limits = {0};
    d->core = (isle_core){sizeof d->core, ISLE_KABI_VERSION, 0, d, complete, log_line, now, alloc_shared, free_shared, NULL};
    d->driver = entry(ISLE_KABI_VERSION);
    check("entry", d->driver ? 0 : -1);
    check("init", d->driver->init(&d->state));
    check("open", d->driver->open(d->state, &seed, values, 3, &d->core, &d->device));
    check("get_interface", d->driver->get_interface(d->device, ISLE_IFACE_ACCEL_BASE, &base));
    check("get_interface", d->driver->get_interface(d->device, ISLE_IFACE_PROGRAMS, &programs));
    d->base = base;
    check("create_context", d->base->create_context(d->device, 0, ACCEL_PRIORITY_NORMAL, &limits, &d->context));
    check("load", ((const isle_programs_vtable *)programs)
                      ->load(d->device, d->context, ISLE_PROGRAM_BUILTIN, (const uint8_t *)program, strlen(program), NULL, 0,
                             &d->program));
    d->buffers = buffers;
    for (uint32_t i = 0; i < buffers; i++)
        allocate(d, i, bytes[i]);
    return d;
}

void *kernel_device_buffer(struct kernel_device *d, uint32_t buffer)
{
    return d->pointer[buffer];
}

uint64_t kernel_device_call(struct kernel_device *d, const uint32_t *scalars, uint32_t count)
{
    static union {
        uint8_t bytes[1024];
        uint64_t words[128];
    } k;
    uint32_t args = d->buffers + count;
    uint8_t *at = k.bytes + sizeof(isle_command);
    for (uint32_t i = 0; i <= d->buffers; i++, at += sizeof(isle_binding)) {
        isle_binding b = {.object = d->program, .access = ISLE_ACCESS_PROGRAM};
        if (i < d->buffers)
            b = (isle_binding){.object = d->memory[i], .length = d->bytes[i], .access = ISLE_ACCESS_READ | ISLE_ACCESS_WRITE};
        memcpy(at, &b, sizeof b);
    }
    isle_op_dispatch op = {.op = {ISLE_OP_DISPATCH, 0, (uint32_t)(sizeof op + args * sizeof(isle_arg))},
                           .program = d->buffers,
                           .x = 1,
                           .y = 1,
                           .z = 1,
                           .arg_count = args};
    memcpy(at, &op, sizeof op);
    at += sizeof op;
    for (uint32_t i = 0; i < args; i++, at += sizeof(isle_arg)) {
        isle_arg a = i < d->buffers ? (isle_arg){ISLE_ARG_BUFFER, i, 0} : (isle_arg){ISLE_ARG_U32, 0, scalars[i - d->buffers]};
        memcpy(at, &a, sizeof a);
    }
    isle_command head = {.magic = ISLE_COMMAND_MAGIC,
                         .version = ISLE_COMMAND_VERSION,
                         .header_size = sizeof head,
                         .total_length = (uint32_t)(at - k.bytes),
                         .binding_count = d->buffers + 1,
                         .op_count = 1};
    memcpy(k.bytes, &head, sizeof head);
    AccelSubmissionHandle submission;
    __atomic_store_n(&d->done, 0, __ATOMIC_RELAXED);
    uint64_t start = now(NULL);
    check("submit_commands", d->base->submit_commands(d->device, d->context, k.bytes, head.total_length, NULL, 0, &submission));
    while (!__atomic_load_n(&d->done, __ATOMIC_ACQUIRE))
        if (clock_ns() - start > SPIN_NS) /* the worker may need this very core */
            futex_wait(&d->done, 0, 0);
    uint64_t took = now(NULL) - start;
    check("the program", d->detail);
    return took;
}

void kernel_device_close(struct kernel_device *d)
{
    check("close", d->driver->close(d->device));
    d->driver->fini(d->state);
    free(d);
}
