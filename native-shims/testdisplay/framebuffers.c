/* Framebuffers, which live as long as their memory, and flips. */
#include "display.h"

#include "../softaccel/clock.h"
#include "../softaccel/handles.h"

#include <errno.h>

const struct framebuffer *framebuffer_of(struct display *d, AccelFramebufferHandle handle)
{
    uint32_t index = (uint32_t)handle - 1;
    if (!handle || index >= DISPLAY_FRAMEBUFFERS || d->framebuffers[index].handle != handle)
        return NULL;
    struct framebuffer *f = &d->framebuffers[index];
    return memory_of(&d->soft, f->memory) ? f : NULL;
}

static struct framebuffer *place(struct display *d, uint32_t *index)
{
    for (uint32_t i = 0; i < DISPLAY_FRAMEBUFFERS; i++) {
        if (framebuffer_of(d, d->framebuffers[i].handle))
            continue;
        *index = i;
        return &d->framebuffers[i];
    }
    return NULL;
}

IoResultCode display_create_framebuffer(void *ctx, AccelMemHandle memory, uint32_t width, uint32_t height, uint32_t format,
                                        AccelFramebufferHandle *out)
{
    struct display *d = ctx;
    struct memory *m = memory_of(&d->soft, memory);
    uint32_t bytes = format == ISLE_FORMAT_XRGB8888 ? 4 : format == ISLE_FORMAT_RGB565 ? 2 : 0;
    if (!m)
        return -ESTALE;
    if (!out || !width || width > ISLE_MODE_MAX || !height || height > ISLE_MODE_MAX)
        return -EINVAL;
    if (!bytes)
        return IO_NOT_SUPPORTED;
    if ((uint64_t)width * height * bytes > m->size)
        return -EINVAL;
    uint32_t index;
    struct framebuffer *f = place(d, &index);
    if (!f)
        return -ENOSPC;
    f->generation = f->generation % 0xffffff + 1;
    f->handle = (uint64_t)f->generation << 32 | (index + 1);
    f->memory = memory;
    f->width = width;
    f->height = height;
    f->format = format;
    *out = f->handle;
    return 0;
}

IoResultCode display_page_flip(void *ctx, uint32_t id, AccelFramebufferHandle fb, AccelFence *out)
{
    struct display *d = ctx;
    uint64_t now = soft_now();
    struct connector *c = connector_of(d, id, now);
    const struct framebuffer *f = framebuffer_of(d, fb);
    if (!c)
        return -ENOENT;
    if (!f)
        return -ESTALE;
    if (!out)
        return -EINVAL;
    if (!c->connected)
        return -ENXIO;
    if (!c->active || f->width != c->mode.width || f->height != c->mode.height)
        return -EINVAL;
    if (c->dpms != ACCEL_DPMS_ON)
        return -EPERM;
    if (c->pending)
        return -EBUSY;
    c->pending = fb;
    c->asked++;
    c->asked_ns = now;
    *out = (AccelFence){.fence_type = ACCEL_FENCE_DEVICE_LOCAL, .value = c->asked};
    return 0;
}
