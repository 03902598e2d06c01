#include "owned.h"

#include "handles.h"
#include "memory.h"
#include "programs.h"

void objects_free_owned(struct device *d, struct context *c)
{
    uint64_t context = atomic_load(&c->handle);
    for (uint32_t i = 0; object_at(d, i); i++) {
        struct object *o = object_at(d, i);
        if (!atomic_load(&o->handle) || o->context != context)
            continue;
        atomic_store(&o->handle, 0);
        if (o->type == OBJECT_MEMORY)
            memory_release(d, c, &o->memory);
        else
            program_release(d, &o->program);
    }
}
