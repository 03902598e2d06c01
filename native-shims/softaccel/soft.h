/*
 * The software accelerator: worker threads are its compute units. This is the state that its parts share; what each part does stands in
 * a header of its own, and no two parts need each other.
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
#include "../kit/sha256.h"
#include "isle_kabi.h"

#define SOFT_QUEUE 2048u /* submissions of one context; -EAGAIN when full */
#define SOFT_MAX_UNITS 256u
#define SOFT_MAX_MEMORIES 65536u
#define SOFT_CHUNK 256u /* memory entries allocated at once */
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

#endif
