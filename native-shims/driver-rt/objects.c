#include "rt.h"

#include <errno.h>
#include <stdlib.h>

static struct object *entry(struct table *t, uint64_t id)
{
    uint32_t index = (uint32_t)id;
    if (index / RT_CHUNK >= RT_CHUNKS)
        return NULL;
    struct object *chunk = atomic_load_explicit(&t->chunks[index / RT_CHUNK], memory_order_acquire);
    return chunk ? &chunk[index % RT_CHUNK] : NULL;
}

static bool well_formed(const struct table *t, uint64_t id)
{
    return (uint32_t)(id >> 56) == t->kind;
}

int table_check_free(struct table *t, uint64_t id)
{
    if (!well_formed(t, id) || (uint32_t)id / RT_CHUNK >= RT_CHUNKS)
        return -EINVAL;
    struct object *e = entry(t, id);
    return e && atomic_load_explicit(&e->id, memory_order_relaxed) ? -EEXIST : 0;
}

int table_put(struct table *t, uint64_t id, const struct object_view *view)
{
    int rc = table_check_free(t, id);
    if (rc)
        return rc;
    uint32_t index = (uint32_t)id;
    if (!entry(t, id)) {
        struct object *chunk = calloc(RT_CHUNK, sizeof *chunk);
        if (!chunk)
            return -ENOMEM;
        atomic_store_explicit(&t->chunks[index / RT_CHUNK], chunk, memory_order_release);
    }
    struct object *e = entry(t, id);
    atomic_store_explicit(&e->handle, view->handle, memory_order_release);
    atomic_store_explicit(&e->owner, view->owner, memory_order_release);
    atomic_store_explicit(&e->size, view->size, memory_order_release);
    atomic_store_explicit(&e->returned, view->returned, memory_order_release);
    atomic_store_explicit(&e->id, id, memory_order_release);
    return 0;
}

/*
 * The second look at the id makes the copy consistent: were the entry refilled meanwhile, one of the acquire loads of the fields has
 * seen the new value, and with it the id's removal that came before.
 */
int table_get(struct table *t, uint64_t id, struct object_view *out)
{
    if (!well_formed(t, id))
        return -EINVAL;
    struct object *e = entry(t, id);
    if (!e || atomic_load_explicit(&e->id, memory_order_acquire) != id)
        return -ESTALE;
    out->handle = atomic_load_explicit(&e->handle, memory_order_acquire);
    out->owner = atomic_load_explicit(&e->owner, memory_order_acquire);
    out->size = atomic_load_explicit(&e->size, memory_order_acquire);
    out->returned = atomic_load_explicit(&e->returned, memory_order_acquire);
    return atomic_load_explicit(&e->id, memory_order_relaxed) == id ? 0 : -ESTALE;
}

uint64_t table_find(struct table *t, uint64_t handle)
{
    for (uint32_t c = 0; handle && c < RT_CHUNKS; c++) {
        struct object *chunk = atomic_load_explicit(&t->chunks[c], memory_order_relaxed);
        for (uint32_t i = 0; chunk && i < RT_CHUNK; i++) {
            uint64_t id = atomic_load_explicit(&chunk[i].id, memory_order_relaxed);
            if (id && atomic_load_explicit(&chunk[i].handle, memory_order_relaxed) == handle)
                return id;
        }
    }
    return 0;
}

void table_remove(struct table *t, uint64_t id)
{
    struct object *e = entry(t, id);
    if (e && atomic_load_explicit(&e->id, memory_order_relaxed) == id)
        atomic_store_explicit(&e->id, 0, memory_order_release);
}

void table_set_size(struct table *t, uint64_t id, uint64_t size)
{
    struct object *e = entry(t, id);
    if (e && atomic_load_explicit(&e->id, memory_order_relaxed) == id)
        atomic_store_explicit(&e->size, size, memory_order_release);
}

void table_set_returned(struct table *t, uint64_t id, uint64_t returned)
{
    struct object *e = entry(t, id);
    if (e && atomic_load_explicit(&e->id, memory_order_relaxed) == id)
        atomic_store_explicit(&e->returned, returned, memory_order_release);
}

void table_remove_owned(struct table *t, uint64_t owner)
{
    for (uint32_t c = 0; c < RT_CHUNKS; c++) {
        struct object *chunk = atomic_load_explicit(&t->chunks[c], memory_order_relaxed);
        for (uint32_t i = 0; chunk && i < RT_CHUNK; i++)
            if (!owner || atomic_load_explicit(&chunk[i].owner, memory_order_relaxed) == owner)
                atomic_store_explicit(&chunk[i].id, 0, memory_order_release);
    }
}

void table_remove_orphans(struct table *t, struct table *owners)
{
    struct object_view view;
    for (uint32_t c = 0; c < RT_CHUNKS; c++) {
        struct object *chunk = atomic_load_explicit(&t->chunks[c], memory_order_relaxed);
        for (uint32_t i = 0; chunk && i < RT_CHUNK; i++)
            if (table_get(owners, atomic_load_explicit(&chunk[i].owner, memory_order_relaxed), &view))
                atomic_store_explicit(&chunk[i].id, 0, memory_order_release);
    }
}

void table_free(struct table *t)
{
    for (uint32_t c = 0; c < RT_CHUNKS; c++)
        free(atomic_load_explicit(&t->chunks[c], memory_order_relaxed));
}
