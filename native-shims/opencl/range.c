#include "range.h"

#include <errno.h>

#include "../kit/kit.h"

#define REFUSE(x, t, format, ...)                                                                                       \
    (kit_log((x)->device->core, ISLE_LOG_WARN, "kernel %.64s: " format, (t)->told->name, __VA_ARGS__), -EINVAL)

static IoResultCode check_group(const struct issue *x, const struct start *t)
{
    const size_t *local = t->local;
    const uint32_t *required = t->told->group_size;
    size_t items = local[0] * local[1] * local[2]; /* of 32 bits together */
    size_t most = t->told->max_group && t->told->max_group < x->device->facts.most_group ? t->told->max_group : x->device->facts.most_group;
    if (required[0] && (local[0] != required[0] || local[1] != required[1] || local[2] != required[2]))
        return REFUSE(x, t, "its work-group size is %u x %u x %u, not %zu x %zu x %zu", required[0], required[1], required[2], local[0],
                      local[1], local[2]);
    for (uint32_t i = 0; i < 3; i++)
        if (t->size[i] % local[i])
            return REFUSE(x, t, "size %zu is no multiple of the work-group size %zu in dimension %u", t->size[i], local[i], i);
    if (most && items > most)
        return REFUSE(x, t, "a work-group of %zu work items, at most %zu", items, most);
    return 0;
}

IoResultCode check_range(const struct issue *x, const struct start *t)
{
    uint64_t memory = t->told->local_bytes, most = x->device->facts.local_bytes;
    for (uint32_t i = 0; i < 3; i++)
        if (!t->size[i])
            return -EINVAL;
    for (uint32_t i = 0; i < t->arg_count; i++)
        if (t->args[i].kind == ISLE_ARG_LOCAL && __builtin_add_overflow(memory, t->args[i].value, &memory))
            memory = UINT64_MAX;
    if (most && memory > most)
        return REFUSE(x, t, "%llu bytes of local memory, at most %llu", (unsigned long long)memory, (unsigned long long)most);
    return t->local[0] ? check_group(x, t) : 0;
}
