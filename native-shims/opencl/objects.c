#define _GNU_SOURCE
#include "objects.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "handles.h"

/* The control lane alone takes and publishes. */
struct object *object_take(struct device *d, uint32_t type, AccelContextHandle context)
{
    for (uint32_t i = 0; i < OPENCL_OBJECTS; i++) {
        if (!object_at(d, i)) {
            struct object *chunk = calloc(OPENCL_CHUNK, sizeof *chunk);
            if (!chunk)
                return NULL;
            atomic_store_explicit(&d->objects[i / OPENCL_CHUNK], chunk, memory_order_release);
        }
        struct object *o = object_at(d, i);
        if (atomic_load(&o->handle) || atomic_load(&o->users))
            continue;
        memset(&o->memory, 0, sizeof o->memory);
        memset(&o->program, 0, sizeof o->program);
        o->type = type;
        o->context = context;
        return o;
    }
    return NULL;
}

static uint32_t index_of(struct device *d, const struct object *o)
{
    for (uint32_t i = 0; i < OPENCL_OBJECTS / OPENCL_CHUNK; i++) {
        const struct object *chunk = atomic_load(&d->objects[i]);
        if (chunk && o >= chunk && o < chunk + OPENCL_CHUNK)
            return i * OPENCL_CHUNK + (uint32_t)(o - chunk);
    }
    abort(); /* every object is from a chunk */
}

uint64_t object_publish(struct device *d, struct object *o)
{
    o->generation = o->generation % 0xffffff + 1;
    uint64_t handle = (uint64_t)o->type << 56 | (uint64_t)o->generation << 32 | (index_of(d, o) + 1);
    atomic_store(&o->handle, handle);
    return handle;
}

/* A submission counts itself in and then looks at the handle; this takes the handle away and then looks at the count. */
IoResultCode object_retire(struct object *o, uint64_t handle)
{
    atomic_store(&o->handle, 0);
    if (!atomic_load(&o->users))
        return 0;
    atomic_store(&o->handle, handle);
    return -EBUSY;
}

void objects_free(struct device *d)
{
    for (uint32_t i = 0; i < OPENCL_OBJECTS / OPENCL_CHUNK; i++)
        free(atomic_load(&d->objects[i]));
}
