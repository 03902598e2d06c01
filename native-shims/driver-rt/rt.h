/* driver-rt's own structures: one isle_rt per loaded driver and device. Lanes as in isle_kabi.h. */
#ifndef ISLE_RT_H
#define ISLE_RT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "isle_wire.h"

#define RT_API __attribute__((visibility("default")))

#define RT_MAX_INFLIGHT 65536u
#define RT_MAX_COMMAND (16u << 20)
#define RT_MAX_SEGMENTS 4096u
#define RT_KEPT_BYTES (64ull << 20) /* of a heap, whose pages stay */
#define RT_CHUNKS 1024u
#define RT_CHUNK 1024u
#define RT_SMALL_COMMAND 448u
#define RT_EARLY 64u
#define RT_MAX_VTABLE 4096u
#define RT_MAX_SETTINGS 128u
#define RT_EXECUTION ISLE_EXECUTION_IN_PROCESS
#define RT_PROGRAM_KINDS \
    (1u << ISLE_PROGRAM_BUILTIN | 1u << ISLE_PROGRAM_OPENCL_C | 1u << ISLE_PROGRAM_SPIRV | 1u << ISLE_PROGRAM_PTX | \
     1u << ISLE_PROGRAM_HANDLERS)

/* ---- objects.c: core id -> driver handle; written by the control lane, read by both without locks ---- */
struct object {
    _Atomic uint64_t id; /* 0: free */
    _Atomic uint64_t handle;
    _Atomic uint64_t owner; /* core id of the context */
    _Atomic uint64_t size;
    _Atomic uint64_t returned; /* of a context: completions that the core must have taken to submit to it; data lane's */
};
struct object_view {
    uint64_t handle, owner, size, returned;
};
struct table {
    uint32_t kind;
    _Atomic(struct object *) chunks[RT_CHUNKS];
};
int table_put(struct table *t, uint64_t id, const struct object_view *view);
int table_get(struct table *t, uint64_t id, struct object_view *out);
int table_check_free(struct table *t, uint64_t id);
/* The id of the entry with this handle, or 0. Looks at all of them: for rare questions. */
uint64_t table_find(struct table *t, uint64_t handle);
void table_remove(struct table *t, uint64_t id);
/* The size of a context's entry says whether it is frozen. */
void table_set_size(struct table *t, uint64_t id, uint64_t size);
void table_set_returned(struct table *t, uint64_t id, uint64_t returned);
/* Removes every entry whose owner is `owner`; 0 means all. */
void table_remove_owned(struct table *t, uint64_t owner);
/* Removes every entry whose owner is not in `owners`. */
void table_remove_orphans(struct table *t, struct table *owners);
void table_free(struct table *t);

/* ---- heap.c: the memory of one context, in one segment; bookkeeping outside of the shared memory ---- */
struct heap_block {
    uint64_t offset, size;
    bool used;
    bool dirty; /* free, but not all zeros */
    struct heap_block *next;
};
struct heap {
    uint32_t segment;
    uint8_t *base;
    uint64_t size;
    uint64_t kept;
    struct heap_block *blocks;
};
/* Memory that is all zeros; the pages of its first `kept` bytes stay when what lies there is freed. */
int heap_init(struct heap *h, uint32_t segment, void *base, uint64_t size, uint64_t kept);
int heap_alloc(struct heap *h, uint64_t size, uint64_t alignment, isle_shared *out);
int heap_free(struct heap *h, const isle_shared *shared);
/* All is zeros again, blocks in use, too: nobody may use them any more. */
void heap_zero(struct heap *h);
/* Frees the bookkeeping; the memory may be unmapped already. */
void heap_destroy(struct heap *h);

/* ---- inflight.c: the slots of tags ---- */
struct slot {
    _Atomic uint64_t word; /* generation << 32 | 1 while in flight */
    _Atomic uint64_t context;
    uint64_t submitted_ns;      /* callback and polling drivers */
    AccelSubmissionHandle submission;
    uint8_t _pad[32];
    uint8_t small[RT_SMALL_COMMAND]; /* stride of 8 lines would meet in one cache set, hence the odd count */
} __attribute__((aligned(64)));

struct segment {
    uint32_t id; /* 0: free */
    uint32_t writable;
    uint32_t users; /* contexts whose heap it is */
    void *pointer;
    uint64_t size;
};

struct rt_context {
    uint64_t id;
    AccelContextHandle handle;
    bool has_heap;
    struct heap heap;
    struct rt_context *next;
};

enum { RT_COMPLETES = 0, RT_CALLBACK = 1, RT_POLLING = 2 };

/* The newest flip of a connector, as the driver told it. */
struct flips {
    bool known;
    uint32_t connector;
    uint64_t point;
};

struct early {
    AccelSubmissionHandle submission;
    AccelCompletionStatus status;
};

struct isle_rt {
    /* read by the data lane */
    struct slot *slots;
    uint32_t max_inflight;
    uint32_t max_command;
    uint8_t *big; /* max_inflight x max_command, for commands over RT_SMALL_COMMAND */
    const uint8_t *commands;
    uint64_t commands_size;
    AccelBaseVTable base;
    void *device;
    atomic_bool open;
    atomic_bool frozen;      /* the device is being reset */
    bool fences;             /* no membarrier(): the data lane pays for a fence */
    _Atomic uint64_t lane;   /* odd while the data lane is inside */
    uint32_t completion_mode;
    uint32_t completion_mask;
    isle_completion_slot *completions;
    isle_started *started;
    isle_channel_header *header;
    _Atomic(isle_doorbell *) doorbell;
    _Atomic(const isle_agent *) agent;
    struct table contexts, memories, programs;

    /* polling and callback drivers */
    uint32_t *polled; /* indices of tags to ask for */
    uint32_t polled_count, poll_next;
    atomic_flag callback_lock;
    bool submitting;
    struct early early[RT_EARLY];
    uint32_t early_count;
    int trampoline; /* -1: none */

    /* control lane */
    void *library;
    char *path;
    const isle_driver *driver;
    void *driver_state;
    AccelComputeVTable compute;
    isle_programs_vtable programs_vt;
    isle_shared_memory_vtable shared_vt;
    isle_fault_injection_vtable fault_vt;
    isle_execution_vtable execution_vt;
    isle_hpu_vtable hpu_vt;
    isle_power_vtable power_vt;
    isle_health_vtable health_vt;
    isle_page_retirement_vtable retirement_vt;
    AccelDisplayVTable display_vt;
    isle_scanout_vtable scanout_vt;
    struct table framebuffers; /* the owner is the memory */
    struct flips flips[ISLE_MAX_CONNECTORS];
    AccelDeviceInfo info;
    isle_core core;
    pthread_mutex_t lock; /* segments and context_list; driver threads allocate under it */
    struct segment segments[RT_MAX_SEGMENTS];
    uint32_t segment_count;
    struct rt_context *context_list;
    atomic_bool opening;         /* the driver's open() runs, or what follows it */
    pthread_mutex_t error_lock;  /* the next one */
    char open_error[ISLE_LOG_TEXT]; /* the last error that was logged since the opening began; "": none */
};

int inflight_init(isle_rt *rt);
int inflight_set_command_size(isle_rt *rt, uint32_t max_command);
void inflight_free(isle_rt *rt);
/* Ends whatever is in flight of the context (0: of all) with ERROR and `detail`; returns how many there were. */
uint32_t inflight_fail(isle_rt *rt, uint64_t context, int32_t detail);
void rt_violation(isle_rt *rt);

/* ---- complete.c ---- */
IoResultCode rt_complete(void *core, const isle_completion *completion);
void rt_started(void *core, uint64_t tag, uint64_t start_ns);
/* Publishes without an in-flight check: refusals of the host, and the in-flight table's own. Returns the ticket. */
uint64_t rt_publish(isle_rt *rt, const isle_completion *completion);

/* ---- submit.c, envelope.c ---- */
/*
 * As isle_rt_submit; *answerable says whether the tag was free, so that a refusal can be told as its completion. `seen`: completions
 * that the core had taken when it submitted; -EAGAIN, unasked, when it did not know yet of earlier work of the context that came back.
 */
IoResultCode rt_submit(isle_rt *rt, uint64_t tag, uint64_t context, uint64_t offset, uint32_t length, uint64_t seen, bool *answerable);
/* Work of the context came back with this ticket: what was submitted before the core knew of it comes back too, so that it stays in order. */
void rt_came_back(isle_rt *rt, uint64_t context, uint64_t ticket);
/* Checks the private copy and puts the driver's handles in the place of core ids. */
IoResultCode envelope_bind(isle_rt *rt, uint8_t *command, uint32_t length, uint64_t context, uint64_t tag);

/* ---- lane.c: the control lane waits until the data lane has seen what it changed ---- */
void lane_init(isle_rt *rt);
/* After it no data call is inside that began before; what the caller stored before is seen by every later one. */
void lane_quiesce(isle_rt *rt);
static inline void lane_enter(isle_rt *rt)
{
    atomic_store_explicit(&rt->lane, atomic_load_explicit(&rt->lane, memory_order_relaxed) + 1, memory_order_relaxed);
    if (rt->fences)
        __sync_synchronize();
    else
        atomic_signal_fence(memory_order_seq_cst); /* the other side's membarrier() is the fence of both */
}
static inline void lane_leave(isle_rt *rt)
{
    atomic_store_explicit(&rt->lane, atomic_load_explicit(&rt->lane, memory_order_relaxed) + 1, memory_order_release);
}

/* ---- callbacks.c ---- */
int callbacks_claim(isle_rt *rt); /* -EBUSY: every trampoline is in use */
void callbacks_release(isle_rt *rt);
AccelCompletionCallback callbacks_function(const isle_rt *rt);
IoResultCode callbacks_submit(isle_rt *rt, uint32_t index, AccelContextHandle context, const uint8_t *command, uint32_t length);

/* ---- negotiate.c ---- */
struct vtable_spec {
    const char *name;
    uint32_t interface_id;
    uint32_t size;        /* of the core's structure */
    uint32_t first_entry; /* offset */
    uint32_t entry_count;
    uint64_t required;    /* bit per entry */
    const char *const *entries;
};
extern const struct vtable_spec spec_base, spec_compute, spec_programs, spec_shared_memory, spec_fault_injection, spec_power, spec_health,
    spec_page_retirement, spec_display, spec_scanout, spec_execution, spec_hpu;
IoResultCode negotiate_driver(const isle_driver *driver, char *why, uint32_t why_size);
/* Fills `copy` (spec->size bytes); absent entries become NULL. */
IoResultCode negotiate_vtable(const struct vtable_spec *spec, const void *vtable, void *copy, isle_negotiated *out, char *why,
                              uint32_t why_size);

/* ---- device.c: open and close ---- */
int64_t device_hello(isle_rt *rt, uint8_t *out, uint32_t size);
IoResultCode device_open(isle_rt *rt, const uint8_t *body, uint32_t length, isle_open_response *out, char *why, uint32_t why_size);
IoResultCode device_close(isle_rt *rt);

/* ---- segments.c ---- */
IoResultCode segment_remove(isle_rt *rt, uint32_t id);
struct segment *segment_find(isle_rt *rt, uint32_t id);
struct rt_context *context_find(isle_rt *rt, uint64_t id);
void context_unlink(isle_rt *rt, uint64_t id, bool zero);
IoResultCode rt_alloc_shared(void *core, AccelContextHandle context, uint64_t size, uint64_t alignment, isle_shared *out);
IoResultCode rt_free_shared(void *core, const isle_shared *shared);

/* ---- tenants.c: control operations on contexts and memory ---- */
IoResultCode tenant_create_context(isle_rt *rt, const isle_create_context *q);
IoResultCode tenant_destroy_context(isle_rt *rt, uint64_t id);
IoResultCode tenant_reset_context(isle_rt *rt, uint64_t id);
IoResultCode tenant_reset_device(isle_rt *rt);
IoResultCode tenant_alloc(isle_rt *rt, const isle_alloc_request *q, isle_alloc_response *out);
IoResultCode tenant_free(isle_rt *rt, uint64_t id);
/* -EPROTO for a handle that cannot be one: the driver's bug. */
IoResultCode tenant_checked(isle_rt *rt, uint64_t handle);

__attribute__((format(printf, 3, 4))) void rt_why(char *why, uint32_t size, const char *format, ...);
void rt_log(void *core, uint32_t level, const char *text);
uint64_t rt_now(void *core);

#endif
