/* Mode, power state, refresh and cursor of a connector. */
#include "display.h"

#include "../softaccel/clock.h"

#include <errno.h>
#include <string.h>

static bool offered(const struct connector *c, const AccelDisplayMode *wanted)
{
    for (uint32_t i = 0; i < c->monitor->mode_count; i++) {
        AccelDisplayMode m;
        monitor_mode(c->monitor, i, &m);
        if (m.width == wanted->width && m.height == wanted->height && m.refresh_millihz == wanted->refresh_millihz &&
            m.clock_khz == wanted->clock_khz && m.hfp == wanted->hfp && m.hsw == wanted->hsw && m.hbp == wanted->hbp &&
            m.vfp == wanted->vfp && m.vsw == wanted->vsw && m.vbp == wanted->vbp)
            return true;
    }
    return false;
}

IoResultCode display_set_mode(void *ctx, uint32_t id, const AccelDisplayMode *mode)
{
    struct display *d = ctx;
    uint64_t now = soft_now();
    struct connector *c = connector_of(d, id, now);
    if (!c)
        return -ENOENT;
    if (!c->connected)
        return -ENXIO;
    if (!mode || !offered(c, mode))
        return -EINVAL;
    c->mode = *mode;
    c->active = true;
    connector_restart(c, now);
    const struct framebuffer *f = framebuffer_of(d, c->shown);
    if (!f || f->width != mode->width || f->height != mode->height)
        c->shown = 0;
    if (c->cursor.x >= mode->width || c->cursor.y >= mode->height)
        c->cursor.width = c->cursor.height = 0;
    return 0;
}

IoResultCode display_set_dpms(void *ctx, uint32_t id, AccelDpmsState state)
{
    uint64_t now = soft_now();
    struct connector *c = connector_of(ctx, id, now);
    if (!c)
        return -ENOENT;
    if (state > ACCEL_DPMS_OFF)
        return -EINVAL;
    if (!c->connected)
        return -ENXIO;
    if (state != c->dpms) {
        c->dpms = state;
        connector_restart(c, now);
    }
    return 0;
}

IoResultCode display_set_vrr(void *ctx, uint32_t id, uint8_t enabled)
{
    uint64_t now = soft_now();
    struct connector *c = connector_of(ctx, id, now);
    if (!c)
        return -ENOENT;
    if (!c->connected)
        return -ENXIO;
    if (!c->monitor->vrr_max_millihz)
        return IO_NOT_SUPPORTED;
    if (enabled > 1 || !c->active)
        return -EINVAL;
    if (enabled != c->vrr) {
        c->vrr = enabled;
        connector_restart(c, now);
    }
    return 0;
}

IoResultCode display_set_cursor(void *ctx, uint32_t id, const uint8_t *image, uint32_t width, uint32_t height, uint32_t x, uint32_t y)
{
    struct connector *c = connector_of(ctx, id, soft_now());
    if (!c)
        return -ENOENT;
    if (!c->connected)
        return -ENXIO;
    if (!image != !width || !width != !height || width > ISLE_CURSOR_MAX || height > ISLE_CURSOR_MAX || !c->active || x >= c->mode.width ||
        y >= c->mode.height)
        return -EINVAL;
    c->cursor.width = width;
    c->cursor.height = height;
    c->cursor.x = x;
    c->cursor.y = y;
    if (width)
        memcpy(c->cursor.pixels, image, (size_t)width * height * 4);
    return 0;
}
