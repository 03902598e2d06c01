/*
 * The OpenCL driver: every device of every OpenCL platform is a device of Isle.
 *
 * Each context of Isle has an OpenCL context of its own, so that on devices with address spaces a wild pointer or a fault of one tenant
 * stays in it, and nothing of a tenant can be named by another; and one in-order queue, so that its work runs in order.
 *
 * Threads: the data lane puts submissions into the context's ring; the context's issuer thread checks and enqueues them, for an OpenCL
 * library may take its time; the library's own threads report their end by event callbacks. Objects are pooled until close, so that a
 * late data call meets an old generation, never freed memory.
 */
#ifndef ISLE_OPENCL_H
#define ISLE_OPENCL_H

#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "../kit/kit.h"
#include "cl.h"
#include "isle_kabi.h"

#define OPENCL_QUEUE 1024u /* submissions of one context; -EAGAIN when full */
#define OPENCL_DEVICES 64u
#define OPENCL_PARTS 64u
#define OPENCL_CONTEXTS 256u
#define OPENCL_OBJECTS 65536u /* memory and programs */
#define OPENCL_CHUNK 256u
#define OPENCL_ENTRIES 256u /* kernels of one program */
#define OPENCL_ARGS 16u
#define OPENCL_PAGE 4096u
#define OPENCL_OPTIONS 4096u /* build options of a program */
#define OPENCL_BETWEEN (4u << 20) /* bytes of the buffer over which ranges that overlap are copied */

enum { PLACE_AUTO = 0, PLACE_SHARED = 1, PLACE_STAGING = 2, PLACE_SVM = 3 };

struct settings {
    int device_class; /* -1: by the device's type */
    uint64_t memory_bytes, cache_bytes;
    uint32_t units, part, max_contexts, max_cmd_buffer_size, place, reset_wait_ms;
    char device[64];
    char build_options[256];
    char cache_dir[PATH_MAX];
};

/* What is asked of the device once. */
struct facts {
    char name[128], version[64], driver[64], platform[64];
    cl_ulong type, memory_bytes, most_alloc, local_bytes;
    cl_uint units, clock_mhz, float_width, align_bytes;
    size_t most_group;
    bool compiler, il, svm; /* svm: coarse-grained, of buffers */
};

struct found {
    cl_platform_id platform;
    cl_device_id device;
    isle_device_seed seed;
};

/* Memory on the device: one of both. */
struct backing {
    cl_mem buffer;
    uint8_t *svm; /* at one address for all kernels of the context, as long as it lives */
};

struct memory {
    struct backing backing;
    uint64_t size;
    bool shared; /* the CPU sees it at `where` */
    bool staged; /* and the device has a copy, brought up to date around each submission */
    isle_shared where;
};

enum { BUILTIN_NONE = -1, BUILTIN_NOOP = 0, BUILTIN_FILL, BUILTIN_COPY, BUILTIN_COUNT };

struct entry {
    isle_program_entry shown;
    cl_kernel kernel;
    uint8_t arg_bytes[OPENCL_ARGS]; /* of scalars as the kernel has them, of the elements of a buffer; 0: not known */
    size_t local[3];                /* the work-group size that the kernel was written for; 0: the library chooses */
};

struct program {
    int builtin;
    cl_program program;
    struct entry *entries;
    uint32_t count;
};

enum { OBJECT_MEMORY = 1, OBJECT_PROGRAM = 2 };

struct object {
    _Atomic uint64_t handle; /* type << 56 | generation << 32 | index + 1; 0: free */
    _Atomic uint32_t users;  /* submissions in flight that name it */
    uint32_t generation, type;
    uint64_t context;
    union {
        struct memory memory;
        struct program program;
    };
};

enum { WORK_FREE = 0, WORK_QUEUED = 1 };

/* A submission from its call to the moment in which nothing of it is left on the device. */
struct work {
    atomic_uint state;
    atomic_uint refs;     /* the issuer and each callback that is to come */
    struct context *context;
    const uint8_t *command;
    uint64_t tag, position, issued_ns;
    uint32_t length;
    int code; /* what the issuer or the library found wrong */
    cl_event *events;
    cl_mem *parts; /* sub-buffers of this submission alone */
    uint32_t event_count, event_room, part_count, part_room;
    _Atomic uint64_t result; /* (position + 1) << 8 | status */
};

struct context {
    _Atomic uint64_t handle; /* generation << 32 | index + 1; 0: free */
    struct device *device;
    uint32_t index, generation;
    AccelContextLimits limits;
    uint64_t memory_used, memory_peak; /* under device->lock */
    cl_context cl;
    cl_command_queue queue, control; /* the second one for what control calls do */
    bool svm; /* memory is shared virtual memory; before there is any */
    struct backing between; /* of the issuer; none until it is needed */
    const void **reachable; /* of the issuer: the memory of one submission */
    uint32_t reachable_room;
    pthread_t issuer;
    sem_t ready; /* once a submission, and once to stop */
    atomic_bool stopping;
    uint64_t begin;               /* position of the first submission of this use of the place */
    _Atomic uint64_t tail;        /* data lane */
    _Atomic uint64_t cancel_upto; /* positions below are not begun any more, and end with cancel_code */
    atomic_int cancel_code;
    _Atomic uint64_t in_flight;   /* places of the ring in use */
    bool tells_starts;
    _Atomic uint64_t kernels, bytes_moved, execution_ns, completed, errors;
    struct work *ring; /* OPENCL_QUEUE */
};

struct device {
    const struct cl_api *cl;
    const isle_core *core;
    cl_platform_id platform;
    cl_device_id id;
    bool part; /* a sub-device, to be released */
    bool coherent; /* device and CPU see the same memory */
    bool svm;      /* contexts have shared virtual memory */
    struct settings settings;
    struct facts facts;
    isle_programs_vtable programs;
    AccelComputeVTable compute;
    _Atomic int64_t offset_ns; /* CLOCK_MONOTONIC less the device's timer */
    atomic_bool lost;
    pthread_mutex_t lock; /* memory bookkeeping and the object table's growth */
    uint64_t memory_used;
    uint32_t active_contexts;
    _Atomic uint64_t busy_ns;
    uint64_t sample_ns, sample_busy_ns; /* of the last question about load */
    struct context *_Atomic *contexts;
    _Atomic(struct object *) objects[OPENCL_OBJECTS / OPENCL_CHUNK];
};

/* probe.c; both lists are asked of the library anew */
uint32_t probe_devices(const struct cl_api *cl, struct found *out, uint32_t most);
void probe_facts(const struct cl_api *cl, cl_platform_id platform, cl_device_id device, struct facts *out);
/* Tells libraries that write where they may, before they are loaded. */
void probe_environment(void);

/* settings.c */
extern const isle_setting opencl_settings[];
extern const uint32_t opencl_setting_count;
IoResultCode settings_parse(struct settings *s, const isle_setting_value *values, uint32_t count, const isle_core *core);

/* place.c: whether memory of the CPU can be the device's own, found out by trying; 0, or why not */
IoResultCode place_decide(struct device *d);

/* clock.c */
IoResultCode clock_calibrate(struct device *d, cl_context context, cl_command_queue queue);
/* Start and end of an event by CLOCK_MONOTONIC, within [issued, now]; false when the device does not say. */
bool clock_of_event(struct device *d, cl_event event, uint64_t issued_ns, uint64_t now, uint64_t *start, uint64_t *end);
uint64_t clock_now(void);

/* objects.c */
struct object *object_of(struct device *d, uint64_t handle, uint32_t type);
/* Of a submission that counts as a user. */
struct object *object_held(struct device *d, uint64_t handle);
struct object *object_take(struct device *d, uint32_t type, AccelContextHandle context);
/* Makes it known by a handle. */
uint64_t object_publish(struct device *d, struct object *o);
/* Takes the handle away; -EBUSY while a submission names it. */
IoResultCode object_retire(struct object *o, uint64_t handle);
/* Frees every object of a context; nothing of it is in flight. */
void objects_free_owned(struct device *d, struct context *c);
void objects_free(struct device *d);

/* backing.c; enqueued commands are given as OpenCL's codes, so that the caller counts their events */
cl_int backing_make(struct device *d, cl_context context, bool svm, uint64_t size, void *host, struct backing *out);
void backing_free(struct device *d, cl_context context, struct backing *b);
cl_int backing_fill(struct device *d, cl_command_queue queue, const struct backing *b, const void *pattern, size_t pattern_size,
                    uint64_t offset, uint64_t bytes, cl_event *event);
/* Between ranges that do not overlap. */
cl_int backing_copy(struct device *d, cl_command_queue queue, const struct backing *dst, uint64_t to, const struct backing *src,
                    uint64_t from, uint64_t bytes, cl_event *event);
cl_int backing_write(struct device *d, cl_command_queue queue, const struct backing *b, uint64_t offset, const void *from, uint64_t bytes,
                     cl_event *event);
cl_int backing_read(struct device *d, cl_command_queue queue, const struct backing *b, uint64_t offset, void *to, uint64_t bytes,
                    cl_event *event);

/* memory.c */
IoResultCode opencl_alloc(void *ctx, AccelContextHandle context, uint64_t size, uint64_t alignment, AccelPageSize page_size,
                          AccelMemFlags flags, AccelMemHandle *out);
IoResultCode opencl_free(void *ctx, AccelMemHandle handle);
IoResultCode opencl_map(void *ctx, AccelMemHandle handle, uint64_t offset, uint64_t size, uint64_t *out);
extern const isle_shared_memory_vtable opencl_shared_memory;
void memory_release(struct device *d, struct context *c, struct memory *m);

/* programs.c, kernels.c, build.c, cache.c */
extern const isle_programs_vtable opencl_programs;
extern const isle_program_entry opencl_builtins[BUILTIN_COUNT];
void program_release(struct device *d, struct program *p);
/* The kernels of a built program that a dispatch can describe; others are named in the log. */
IoResultCode kernels_list(struct device *d, struct program *p, char *log, uint64_t log_size);
/* Adds a line to a log of `size` bytes. */
void log_line(char *log, uint64_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* `tenants`: build options besides those of the device's settings. */
IoResultCode build_program(struct device *d, struct context *c, uint32_t kind, const uint8_t *source, uint64_t length,
                           const char *tenants, char *log, uint64_t log_size, cl_program *out);
struct cache_key {
    char name[65];
};
/* Of all that a binary depends on. */
void cache_key(const struct device *d, uint32_t kind, const char *options, const uint8_t *source, uint64_t length, struct cache_key *out);
/* The binary, to be freed; NULL when there is none or it is damaged. */
uint8_t *cache_get(const struct device *d, const struct cache_key *key, size_t *length);
void cache_put(const struct device *d, const struct cache_key *key, const uint8_t *binary, size_t length);

/* submit.c */
IoResultCode opencl_submit(void *ctx, AccelContextHandle context, const uint8_t *cmd_buffer, uint32_t cmd_len, const AccelFence *fences,
                           uint32_t fence_count, AccelSubmissionHandle *out_submission);
IoResultCode opencl_poll(void *ctx, AccelSubmissionHandle submission, AccelCompletionStatus *out_status);
void release_bindings(struct device *d, const uint8_t *command);

/* issue.c: puts submissions on the device; check.c: looks at them before; enqueue.c: their operations; dispatch.c: kernels */
void *issuer_main(void *context);
struct issue {
    struct device *device;
    struct context *context;
    struct work *work;
    const isle_command *command;
    const isle_binding *bindings;
    uint32_t reachable; /* how many of context->reachable are its memory */
};
/* Of a binding that has been checked. */
struct memory *memory_at(const struct issue *x, uint32_t binding);
IoResultCode check_ops(const struct issue *x);
IoResultCode enqueue_op(struct issue *x, const isle_op *op);
/* Once for a submission, before its kernels: which shared virtual memory they may reach. */
IoResultCode list_reachable(struct issue *x);
IoResultCode dispatch_kernel(struct issue *x, const struct entry *e, const isle_op_dispatch *op);
IoResultCode enqueue_staging(struct issue *x, bool before);
/* Where the event of the next thing to be enqueued goes; NULL without memory. */
cl_event *next_event(struct issue *x);
/* Counts an enqueued thing, or says what the library's code means. */
IoResultCode enqueued(struct issue *x, cl_int rc);
bool keep_part(struct issue *x, cl_mem part);

/* finish.c */
/* One of those who use the place is done with it; the last one ends the submission. */
void work_unref(struct work *w);
/* Callbacks of this library that have not returned. */
extern atomic_uint callbacks_inside;
void on_complete(cl_event event, cl_int status, void *work);
void on_running(cl_event event, cl_int status, void *work);

/* context.c */
struct context *context_of(struct device *d, AccelContextHandle handle);
IoResultCode opencl_create_context(void *ctx, uint32_t owner_pid, AccelPriority priority, const AccelContextLimits *limits,
                                   AccelContextHandle *out);
IoResultCode opencl_destroy_context(void *ctx, AccelContextHandle handle);
IoResultCode opencl_reset_context(void *ctx, AccelContextHandle handle);
IoResultCode opencl_reset_device(void *ctx);
IoResultCode opencl_preempt_context(void *ctx, AccelContextHandle handle, PreemptReason reason);
IoResultCode opencl_enable_svm(void *ctx, AccelContextHandle handle, uint64_t process_page_table);
/* Ends it. Where a kernel does not end this does not return, and the core takes the process from under it. */
void context_end(struct device *d, struct context *c);

/* stats.c */
IoResultCode opencl_get_info(void *ctx, AccelDeviceInfo *out);
IoResultCode opencl_get_utilization(void *ctx, AccelUtilization *out);
IoResultCode opencl_get_power_state(void *ctx, AccelPowerState *out);
IoResultCode opencl_get_compute_caps(void *ctx, ComputeCapabilities *out);
IoResultCode opencl_get_perf_counters(void *ctx, AccelContextHandle context, AccelPerfCounters *out);

/* errors.c */
/* What a code of OpenCL means here: a negated errno. Notes when the device is gone. */
IoResultCode cl_result(struct device *d, cl_int code);

#endif
