#include "bindings.h"

#include <errno.h>

#include "handles.h"
#include "programs.h"

void release_bindings(struct device *d, const uint8_t *command)
{
    const isle_command *h = (const void *)command;
    const isle_binding *b = kit_bindings(command);
    for (uint32_t i = 0; i < h->binding_count; i++) {
        if (b[i].access != ISLE_ACCESS_PROGRAM)
            atomic_fetch_sub(&memory_held(d, b[i].object)->users, 1);
    }
}

static IoResultCode hold_memory(struct device *d, const isle_binding *b, AccelContextHandle context)
{
    struct memory *m = memory_of(d, b->object);
    if (!m)
        return -ESTALE;
    atomic_fetch_add(&m->users, 1);
    IoResultCode rc = atomic_load(&m->handle) != b->object                         ? -ESTALE
                      : m->context != context                                      ? -EACCES
                      : b->offset > m->size || b->length > m->size - b->offset     ? -EINVAL
                      : !b->access || (b->access & ~(ISLE_ACCESS_READ | ISLE_ACCESS_WRITE)) ? -EINVAL
                                                                                   : 0;
    if (rc)
        atomic_fetch_sub(&m->users, 1);
    return rc;
}

IoResultCode hold_bindings(struct device *d, const struct kit_envelope *e, AccelContextHandle context)
{
    IoResultCode rc = 0;
    uint32_t i = 0;
    for (; i < e->command->binding_count && !rc; i++) {
        const isle_binding *b = &e->bindings[i];
        if (b->access == ISLE_ACCESS_PROGRAM)
            rc = program_belongs(b->object, context) ? 0 : -EACCES;
        else
            rc = hold_memory(d, b, context);
    }
    if (!rc)
        return 0;
    for (i--; i-- > 0;) /* the one that failed holds nothing */
        if (e->bindings[i].access != ISLE_ACCESS_PROGRAM)
            atomic_fetch_sub(&memory_held(d, e->bindings[i].object)->users, 1);
    return rc;
}

uint8_t *binding_pointer(struct exec *x, uint32_t index, uint32_t access, uint64_t *length)
{
    if (index >= x->command->binding_count)
        return NULL;
    const isle_binding *b = &x->bindings[index];
    if (b->access == ISLE_ACCESS_PROGRAM || (b->access & access) != access)
        return NULL;
    *length = b->length;
    return memory_held(x->device, b->object)->pointer + b->offset;
}
