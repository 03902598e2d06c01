/*
 * A small driver, complete: its "device" is one thread that runs work in order. Replace the parts marked DEVICE by yours.
 *
 * Lanes (isle_kabi.h): control calls come one at a time; submit_commands comes from one other thread and may run beside them; the
 * worker is ours. So what only control calls touch needs no lock, and what is shared is atomic.
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
#define QUEUE 1024u /* as many as the core has in flight at most */

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
/* Of a binding in flight, which cannot go. NULL: it names none. */
struct memory *memory_at(struct device *d, AccelMemHandle handle);
/* Keeps it from being freed until memory_release; false when there is no such memory. */
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
/* Control lane: ends all work of a context (0: of all) with this code, and returns when it has ended. No more comes meanwhile. */
void queue_cancel(struct device *d, AccelContextHandle context, int code);
void *queue_worker(void *device);

/* engine.c: 0, or the negated errno that the work ends with */
int run_command(struct device *d, uint64_t position, const uint8_t *command);

/* info.c */
IoResultCode get_info(void *ctx, AccelDeviceInfo *out);
IoResultCode get_utilization(void *ctx, AccelUtilization *out);
IoResultCode get_power_state(void *ctx, AccelPowerState *out);

#endif
