/*
 * A small, complete driver. The "device" is one thread that runs work in order. Replace the parts marked DEVICE.
 *
 * Lanes (isle_kabi.h): control calls come one at a time; submit_commands comes from one other thread and may run at the same time;
 * the worker is a thread of the driver. Fields of control calls only need no lock; shared fields are atomic.
 */
#ifndef DEMO_H
#define DEMO_H

#include <errno.h>
#include <isle_kabi.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define PAGE 4096u
#define MAX_CONTEXTS 64u
#define MAX_MEMORIES 4096u
#define QUEUE 1024u /* the limit of the core for work in flight */

/* A handle is generation << 32 | index + 1: an old handle never names a new object. */
struct context {
    _Atomic uint64_t handle; /* 0: free */
    uint32_t generation;
    uint64_t limit, used; /* bytes; control */
};

struct memory {
    _Atomic uint64_t handle;
    _Atomic uint32_t users; /* submissions in flight that name this memory */
    uint32_t generation;
    AccelContextHandle context;
    isle_shared where;
};

/* A slot of the queue. `word` is position << 2 | phase: the thread that changes the phase by compare-and-swap owns the work of that position. */
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

/* driver.c */
uint64_t now_ns(void);
void nap(void); /* 50 us */

/* contexts.c */
struct context *context_of(struct device *d, AccelContextHandle handle);
IoResultCode create_context(void *ctx, uint32_t owner_pid, AccelPriority priority, const AccelContextLimits *limits,
                            AccelContextHandle *out);
IoResultCode destroy_context(void *ctx, AccelContextHandle context);
IoResultCode reset_context(void *ctx, AccelContextHandle context);
IoResultCode reset_device(void *ctx);

/* memory.c */
extern const isle_shared_memory_vtable shared_memory_table;
/* The memory of a binding in flight, which cannot be freed. NULL: the binding names no memory. */
struct memory *memory_at(struct device *d, AccelMemHandle handle);
/* Holds the memory until memory_release; false if the handle names no memory. */
bool memory_hold(struct device *d, AccelMemHandle handle);
void memory_release(struct device *d, AccelMemHandle handle);
void memory_free_all(struct device *d, AccelContextHandle context); /* 0: of every context */
IoResultCode alloc_device_memory(void *ctx, AccelContextHandle context, uint64_t size, uint64_t alignment, AccelPageSize page_size,
                                 AccelMemFlags flags, AccelMemHandle *out);
IoResultCode free_device_memory(void *ctx, AccelMemHandle handle);
IoResultCode map_device_memory(void *ctx, AccelMemHandle handle, uint64_t offset, uint64_t size, uint64_t *out);

/* programs.c */
enum { NOOP, BUSY, FILL, COPY, HISTOGRAM, PROGRAMS };
extern const isle_program_entry programs[PROGRAMS];
extern const isle_programs_vtable programs_table;

/* queue.c */
const isle_binding *bindings_of(const uint8_t *command);
IoResultCode submit_commands(void *ctx, AccelContextHandle context, const uint8_t *command, uint32_t length, const AccelFence *fences,
                             uint32_t fence_count, AccelSubmissionHandle *out);
IoResultCode poll_completion(void *ctx, AccelSubmissionHandle submission, AccelCompletionStatus *out);
/* Control lane: ends all work of a context (0: of all contexts) with this code, and returns after the end. No new work arrives during the call. */
void queue_cancel(struct device *d, AccelContextHandle context, int code);
void *queue_worker(void *device);

/* engine.c: 0, or a negated errno as the result of the work */
int run_command(struct device *d, uint64_t position, const uint8_t *command);

/* info.c */
IoResultCode get_info(void *ctx, AccelDeviceInfo *out);
IoResultCode get_utilization(void *ctx, AccelUtilization *out);
IoResultCode get_power_state(void *ctx, AccelPowerState *out);

#endif
