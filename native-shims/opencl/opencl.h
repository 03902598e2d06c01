/*
 * The OpenCL driver: every device of every OpenCL platform is a device of Isle. This is the state that its parts share; what each part
 * does stands in a header of its own, and no two parts need each other.
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

#include "cl.h"
#include "isle_kabi.h"

#define OPENCL_QUEUE 1024u /* submissions of one context; -EAGAIN when full */
#define OPENCL_DEVICES 64u
#define OPENCL_PARTS 64u
#define OPENCL_CONTEXTS 256u
#define OPENCL_OBJECTS 65536u /* memory and programs */
#define OPENCL_CHUNK 256u
#define OPENCL_ENTRIES 256u /* kernels of one program */
#define OPENCL_DISPATCH_ARGS 16u
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
    bool fault_injection;
};

/* What is asked of the device once. */
struct facts {
    char name[128], version[64], driver[64], platform[64];
    cl_ulong type, memory_bytes, most_alloc, local_bytes;
    cl_uint units, clock_mhz, float_width, align_bytes;
    size_t most_group;
    bool compiler, linker, il, svm; /* linker: of files; svm: coarse-grained, of buffers */
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
    isle_kernel *told; /* what is said of it */
    cl_kernel kernel;
    bool dispatch; /* a dispatch can have it */
};

struct program {
    int builtin;
    cl_program program;
    struct entry *entries; /* those that a dispatch can have come first */
    uint32_t count, dispatches;
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
    atomic_uint fault;     /* a crash that waits, else 0 */
    uint64_t fault_after;  /* for so many submissions; under lock */
    uint32_t active_contexts;
    _Atomic uint64_t busy_ns;
    uint64_t sample_ns, sample_busy_ns; /* of the last question about load */
    struct context *_Atomic *contexts;
    _Atomic(struct object *) objects[OPENCL_OBJECTS / OPENCL_CHUNK];
};

/* A submission on its way to the device. */
struct issue {
    struct device *device;
    struct context *context;
    struct work *work;
    const isle_command *command;
    const isle_binding *bindings;
    uint32_t reachable; /* how many of context->reachable are its memory */
};

#endif
