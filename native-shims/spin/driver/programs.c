/* Programs: images of handlers, kept as they came. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"

static IoResultCode load(void *ctx, AccelContextHandle context, uint32_t kind, const uint8_t *source, uint64_t length, char *log, uint64_t log_size,
                         isle_program_handle *out)
{
    struct device *d = ctx;
    struct spin_image image;
    char why[SPIN_WHY] = "";
    if (!context_of(d, context))
        return -ESTALE;
    if (kind != ISLE_PROGRAM_HANDLERS)
        return IO_NOT_SUPPORTED;
    if (!source || !out)
        return -EINVAL;
    if (spin_image_read(&image, source, length, (uint32_t)d->settings.program_bytes, why)) {
        if (log && log_size)
            snprintf(log, log_size, "%s", why);
        return -EINVAL;
    }
    struct object *o = object_take(d, out);
    if (!o)
        return -ENOSPC;
    o->image = malloc(length);
    if (!o->image)
        return -ENOMEM;
    memcpy(o->image, source, length);
    o->type = OBJECT_PROGRAM;
    o->context = context;
    o->size = length;
    return 0;
}

/* HPUs have a copy of it. */
static IoResultCode unload(void *ctx, isle_program_handle handle)
{
    struct object *o = object_of(ctx, handle, OBJECT_PROGRAM);
    if (!o)
        return -ESTALE;
    object_release(ctx, o);
    return 0;
}

/* Nothing of it can be dispatched. */
static IoResultCode describe(void *ctx, isle_program_handle handle, uint32_t entry, isle_program_entry *out)
{
    (void)entry;
    (void)out;
    return object_of(ctx, handle, OBJECT_PROGRAM) ? -ENOENT : -ESTALE;
}

static IoResultCode builtin(void *ctx, uint32_t index, isle_program_entry *out)
{
    (void)ctx;
    (void)index;
    (void)out;
    return -ENOENT;
}

const isle_programs_vtable spin_programs = {.vtable_size = sizeof spin_programs,
                                            .version = ISLE_KABI_VERSION,
                                            .kinds = 1u << ISLE_PROGRAM_HANDLERS,
                                            .load = load,
                                            .unload = unload,
                                            .describe = describe,
                                            .builtin = builtin};
