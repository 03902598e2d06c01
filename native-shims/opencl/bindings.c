#include "bindings.h"

#include <errno.h>

#include "../kit/kit.h"
#include "handles.h"

static void release(struct device *d, const isle_binding *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        atomic_fetch_sub(&object_held(d, b[i].object)->users, 1);
}

void release_bindings(struct device *d, const uint8_t *command)
{
    release(d, kit_bindings(command), ((const isle_command *)(const void *)command)->binding_count);
}

static IoResultCode hold_one(struct device *d, const isle_binding *b, AccelContextHandle context)
{
    bool program = b->access == ISLE_ACCESS_PROGRAM;
    const uint32_t access = ISLE_ACCESS_READ | ISLE_ACCESS_WRITE, copies = ISLE_ACCESS_NO_COPY_IN | ISLE_ACCESS_NO_COPY_BACK;
    if (!program && (!(b->access & access) || (b->access & ~(access | copies))))
        return -EINVAL;
    struct object *o = object_of(d, b->object, program ? OBJECT_PROGRAM : OBJECT_MEMORY);
    if (!o)
        return -ESTALE;
    atomic_fetch_add(&o->users, 1);
    IoResultCode rc = atomic_load(&o->handle) != b->object ? -ESTALE
                      : o->context != context              ? -EACCES
                      : !program && (b->offset > o->memory.size || b->length > o->memory.size - b->offset) ? -EINVAL
                                                                                                           : 0;
    if (rc)
        atomic_fetch_sub(&o->users, 1);
    return rc;
}

IoResultCode hold_bindings(struct device *d, const isle_binding *b, uint32_t count, AccelContextHandle context)
{
    for (uint32_t i = 0; i < count; i++) {
        IoResultCode rc = hold_one(d, &b[i], context);
        if (rc) {
            release(d, b, i);
            return rc;
        }
    }
    return 0;
}
