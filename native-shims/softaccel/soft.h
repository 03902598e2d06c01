/*
 * The software accelerator: worker threads are its compute units.
 *
 * Threads: the data lane pushes into a context's queue (one producer); a context that has work is on the ready list of its priority at
 * most once, so one worker at a time takes from its queue and its work runs in order; a worker without work helps another worker's
 * parallel loop. Contexts and memory entries are pooled until close, so a late data call meets an old generation, never freed memory.
 */
#ifndef ISLE_SOFT_H
#define ISLE_SOFT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "../kernels/kernels.h"
#include "../kit/kit.h"
#include "../kit/sha256.h"
#include "isle_kabi.h"

#define SOFT_QUEUE 2048u /* submissions of one context; -EAGAIN when full */
#define SOFT_MAX_UNITS 256u
#define SOFT_MAX_MEMORIES 65536u
#define SOFT_CHUNK 256u /* memory entries allocated at once */
#define SOFT_BATCH 64   /* light submissions of one context before the next context has its turn; after others it has it at once */
#define SOFT_SLICE (16u << 10) /* bytes of hashing between two looks at whether the work must leave; others: see the kernels */
#define SOFT_PRIORITIES 4
#define CACHE_LINE __attribute__((aligned(64)))

struct device;
struct worker;
struct progress;

/* ready.c: bounded queue for many producers and consumers (Vyukov) of context indices */
struct ready_cell {
    atomic_uint seq;
    uint32_t value;
};
struct ready {
    struct ready_cell *cells;
    uint32_t mask;
    CACHE_LINE atomic_uint head;
    CACHE_LINE atomic_uint tail;
};
int ready_init(struct ready *r, uint32_t capacity);
void ready_push(struct ready *r, uint32_t value);
bool ready_pop(struct ready *r, uint32_t *value);
bool ready_empty(struct ready *r);
/* Whether a context of that priority or a higher one has work that no unit has begun. */
bool ready_from(struct device *d, AccelPriority priority);

/* A queued submission; `result` stays until the place is used again. */
struct work {
    const uint8_t *command;
    uint64_t context; /* handle: the context may have been re-created */
    uint32_t length;
    _Atomic uint64_t result; /* (position + 1) << 8 | status; RESULT_LOST */
};
#define RESULT_LOST 0xffu

#define SOFT_PAGE 4096u       /* unit of errors and migration */
#define SOFT_LEFT (-5000)     /* inside the driver: the work left the engine because it was told to */
#define SOFT_FULL_MHZ 3000u

struct lost {
    uint64_t tag;
    struct lost *next;
};

/* Written by the one worker that runs the context, read by control. */
struct counters {
    _Atomic uint64_t bytes_read, bytes_written, kernels, execution_ns, cpu_ns, completed, errors, timeouts, preempted, blocks, page_faults;
};

struct context {
    CACHE_LINE _Atomic uint64_t tail; /* data lane */
    uint64_t seen_head;
    CACHE_LINE _Atomic uint64_t head; /* the worker that runs it */
    CACHE_LINE atomic_uint scheduled;
    _Atomic uint64_t handle; /* generation << 32 | index + 1; 0: free */
    _Atomic uint64_t cancel_upto, preempt_upto; /* positions below end without running */
    atomic_int cancel_code;
    _Atomic uint64_t running;     /* position + 1 of the work on the engine, or 0 */
    _Atomic uint64_t running_since_ns;
    _Atomic uint64_t leave;       /* of the work that is to leave it: (position + 1) << 2 | PreemptReason */
    _Atomic(struct progress *) progress; /* of work that left in its middle; whoever takes it out owns it */
    _Atomic uint64_t idle_since_ns, idle_ns; /* written by who changes `scheduled`; idle_since_ns counts while that is 0 */
    atomic_bool faulted; /* after an injected context error, until reset */
    uint32_t index, generation;
    AccelPriority priority;
    uint32_t owner_pid;
    AccelContextLimits limits;
    uint64_t memory_used, memory_peak; /* under device->lock */
    struct counters counters;
    pthread_mutex_t lost_lock;
    struct lost *lost;
    struct work queue[SOFT_QUEUE];
};

struct memory {
    _Atomic uint64_t handle; /* generation << 32 | index + 1; 0: free */
    _Atomic uint32_t users;  /* submissions in flight that name it */
    uint32_t generation;
    uint64_t context;
    uint8_t *pointer;
    uint64_t size;
    bool shared, pinned;
    isle_shared where;
    /* pages.h, under device->lock: a bit a page, made when first needed; the counts may be read without the lock */
    uint64_t *faulty, *on_cpu;
    _Atomic uint64_t faulty_count, on_cpu_count;
};

struct fault {
    uint32_t kind;
    uint64_t after, count, value;
};

struct settings {
    AccelDeviceClass device_class;
    uint64_t memory_bytes;
    uint32_t compute_units, max_contexts, max_cmd_buffer_size;
    PreemptionGranularity preemption;
    bool fault_injection;
    bool in_process; /* says that kernels are code of this process */
    uint32_t throttle_mc, thermal_ms;
    int simd; /* SIMD_* */
};

struct device {
    const isle_core *core;
    bool tells_starts; /* the core wants to know */
    sha256_compress *sha256;
    sha256_compress_pair *sha256_pair; /* or NULL */
    const struct kernels *kernels;
    struct settings settings;
    struct ready ready[SOFT_PRIORITIES];
    struct context *_Atomic *contexts; /* max_contexts, made when first needed */
    _Atomic(struct memory *) memories[SOFT_MAX_MEMORIES / SOFT_CHUNK];
    struct worker *workers;
    CACHE_LINE uint32_t wake; /* futex word of idle workers */
    atomic_uint sleepers;
    atomic_bool stopping;
    CACHE_LINE atomic_uint faults_armed;
    pthread_mutex_t fault_lock;
    struct fault faults[16];

    pthread_mutex_t lock; /* memory bookkeeping */
    uint64_t memory_used;
    uint64_t retired_pages;
    _Atomic uint64_t faulty_pages, pages_on_cpu;
    uint32_t active_contexts;

    /* power.c and stats.c: the model of load, heat and clock */
    pthread_mutex_t model_lock;
    _Atomic uint64_t sample_ns;
    uint64_t sample_busy_ns, sample_bytes;
    uint32_t load_percent, bandwidth_percent;
    double temperature_mc;
    bool hot; /* throttled until it has cooled down */
    atomic_uint perf_level, power_level;
    atomic_uint clock_mhz;              /* that work runs at; below SOFT_FULL_MHZ it is slowed down */
    _Atomic uint64_t throttle_until_ns; /* an injected throttling */
    atomic_uint throttle_count, error_code, pcie_replays;
    _Atomic uint64_t ecc_correctable, ecc_uncorrectable;
};

/* settings.c */
#define SOFT_SETTINGS 11
extern const isle_setting soft_settings[SOFT_SETTINGS];
IoResultCode settings_parse(struct settings *s, const isle_setting_value *values, uint32_t count, const isle_core *core);

/* context.c */
struct context *context_of(struct device *d, AccelContextHandle handle);
IoResultCode soft_create_context(void *ctx, uint32_t owner_pid, AccelPriority priority, const AccelContextLimits *limits,
                                 AccelContextHandle *out);
IoResultCode soft_destroy_context(void *ctx, AccelContextHandle handle);
IoResultCode soft_reset_context(void *ctx, AccelContextHandle handle);
IoResultCode soft_reset_device(void *ctx);
IoResultCode soft_preempt_context(void *ctx, AccelContextHandle handle, PreemptReason reason);
/* Ends all that is queued, running or lost in the context. */
void context_cancel(struct device *d, struct context *c, int code);
/* What is queued below a position goes back to the core unless it has begun. */
void context_hand_back(struct context *c, uint64_t upto);

/* memory.c */
/* A place for memory, in use or not; NULL behind the last one that was made. */
struct memory *memory_by_index(struct device *d, uint32_t index);
struct memory *memory_of(struct device *d, AccelMemHandle handle);
/* Of a submission that counts as a user; its handle is 0 for the moment in which soft_free looks at the users. */
struct memory *memory_held(struct device *d, AccelMemHandle handle);
IoResultCode soft_alloc(void *ctx, AccelContextHandle context, uint64_t size, uint64_t alignment, AccelPageSize page_size,
                        AccelMemFlags flags, AccelMemHandle *out);
IoResultCode soft_free(void *ctx, AccelMemHandle handle);
IoResultCode soft_map(void *ctx, AccelMemHandle handle, uint64_t offset, uint64_t size, uint64_t *out);
IoResultCode soft_locate(void *ctx, AccelMemHandle handle, isle_shared *out);
void memory_free_owned(struct device *d, AccelContextHandle context); /* 0: all */

/* submit.c */
IoResultCode soft_submit(void *ctx, AccelContextHandle context, const uint8_t *cmd_buffer, uint32_t cmd_len, const AccelFence *fences,
                         uint32_t fence_count, AccelSubmissionHandle *out_submission);
IoResultCode soft_poll(void *ctx, AccelSubmissionHandle submission, AccelCompletionStatus *out_status);
void context_schedule(struct device *d, struct context *c);
void release_bindings(struct device *d, const uint8_t *command);

/* worker.c */
IoResultCode workers_start(struct device *d);
void workers_stop(struct device *d);
void workers_wake(struct device *d);
uint64_t soft_now(void);

/* programs.c */
enum {
    PROGRAM_NOOP,
    PROGRAM_FILL,
    PROGRAM_COPY,
    PROGRAM_SHA256,
    PROGRAM_HISTOGRAM,
    PROGRAM_BUSY,
    PROGRAM_CONVOLVE_U8,
    PROGRAM_CONVOLVE_F32,
    PROGRAM_MATMUL_F32,
    PROGRAM_MATMUL_I8,
    PROGRAM_REDUCE,
    PROGRAM_SORT,
    PROGRAM_COUNT
};
extern const isle_program_entry soft_builtins[PROGRAM_COUNT];
bool program_is_noop(isle_program_handle program);
bool program_belongs(isle_program_handle program, AccelContextHandle context);
uint32_t program_index(isle_program_handle program);
extern const isle_programs_vtable soft_programs;

/* faults.c */
extern const isle_fault_injection_vtable soft_faults;
/* The fault that the next submission meets, or kind 0. */
struct fault faults_take(struct device *d);

/* stats.c */
IoResultCode soft_get_info(void *ctx, AccelDeviceInfo *out);
IoResultCode soft_get_utilization(void *ctx, AccelUtilization *out);
IoResultCode soft_get_compute_caps(void *ctx, ComputeCapabilities *out);
IoResultCode soft_get_perf_counters(void *ctx, AccelContextHandle context, AccelPerfCounters *out);

/* power.c */
extern const isle_power_vtable soft_power;
extern const isle_health_vtable soft_health;
IoResultCode soft_get_power_state(void *ctx, AccelPowerState *out);
IoResultCode soft_set_performance_level(void *ctx, AccelPerfLevel level);
void model_init(struct device *d);
/* Brings load, temperature and clock up to date, at most once in 10 ms. */
void model_step(struct device *d, uint64_t now);
void model_throttle(struct device *d, uint64_t ns);
uint32_t model_clock_mhz(const struct device *d);
uint32_t model_power_mw(const struct device *d);
/* How long work that took `ns` at full clock has to be stretched. */
uint64_t model_stretch(struct device *d, uint64_t ns);

/* pages.c */
extern const isle_page_retirement_vtable soft_page_retirement;
/* Bytes of the device that no retired page has taken; pages that are replaced again and again can take them all. Under device->lock. */
uint64_t pages_capacity(const struct device *d);
/* Of a memory that is going; under device->lock. Its faulty pages are retired. Returns the bytes that were not on the device. */
uint64_t pages_forget(struct device *d, struct memory *m);

/* migrate.c */
IoResultCode soft_migrate_pages(void *ctx, AccelContextHandle context, const AccelMigrationEntry *pages, uint32_t count,
                                MigrationFlags flags);

/* device.c */
/* `size` bytes of which the device is the beginning; the rest is 0. */
IoResultCode device_open(const struct settings *settings, const isle_core *core, size_t size, struct device **out);
IoResultCode soft_get_interface(void *device, uint32_t interface_id, const void **out);
IoResultCode soft_close(void *device);

#endif
