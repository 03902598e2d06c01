/* The driver `spin`: HPUs in this process. All its entries but submissions, which it has none of, are called by one thread at a time. */
#ifndef ISLE_SPIN_DEVICE_H
#define ISLE_SPIN_DEVICE_H

#include "../../kit/kit.h"
#include "../runtime.h"

#define SPIN_CONTEXTS 64u
#define SPIN_OBJECTS 4096u

struct settings {
    AccelDeviceClass device_class;
    uint64_t memory_bytes, program_bytes;
    uint32_t max_contexts, hpu_mhz, hpu_spin_us, handler_limit_us, host_wait_ms, trap_limit;
};

struct context {
    AccelContextHandle handle; /* 0: free */
    uint64_t most, used;       /* bytes of memory; most 0: no limit of its own */
    struct spin_context *hpus; /* NULL: not attached */
};

enum { OBJECT_FREE = 0, OBJECT_MEMORY = 1, OBJECT_PROGRAM = 2 };

struct object {
    uint32_t type, generation;
    AccelContextHandle context;
    uint64_t size;
    isle_shared where; /* of memory */
    bool visible;      /* the CPU may see it */
    bool attached;
    uint8_t *image; /* of a program */
};

struct device {
    const isle_core *core;
    struct settings settings;
    struct context contexts[SPIN_CONTEXTS];
    uint32_t generation;
    struct object objects[SPIN_OBJECTS];
    uint64_t used;
};

/* NULL for a handle of nothing. */
struct context *context_of(struct device *d, AccelContextHandle handle);
struct object *object_of(struct device *d, uint64_t handle, uint32_t type);
/* A free place, or NULL; its handle is good once it has a type. */
struct object *object_take(struct device *d, uint64_t *handle);
void object_release(struct device *d, struct object *o);

/* contexts.c */
IoResultCode spin_create_context(void *ctx, uint32_t owner_pid, AccelPriority priority, const AccelContextLimits *limits, AccelContextHandle *out);
IoResultCode spin_destroy_context(void *ctx, AccelContextHandle context);
IoResultCode spin_reset_context(void *ctx, AccelContextHandle context);
IoResultCode spin_reset_device(void *ctx);
/* Detaches; nothing where nothing is attached. */
void context_stop(struct device *d, struct context *c);

/* memory.c */
IoResultCode spin_alloc(void *ctx, AccelContextHandle context, uint64_t size, uint64_t alignment, AccelPageSize page_size, AccelMemFlags flags,
                        AccelMemHandle *out);
IoResultCode spin_free(void *ctx, AccelMemHandle handle);
IoResultCode spin_map(void *ctx, AccelMemHandle handle, uint64_t offset, uint64_t size, uint64_t *out);
extern const isle_shared_memory_vtable spin_shared_memory;

/* programs.c */
extern const isle_programs_vtable spin_programs;

/* interface.c */
extern const isle_hpu_vtable spin_hpu;

/* settings.c */
#define SPIN_SETTINGS 9u
extern const isle_setting spin_settings[SPIN_SETTINGS];
IoResultCode settings_parse(struct settings *s, const isle_setting_value *values, uint32_t count, const isle_core *core);

#endif
