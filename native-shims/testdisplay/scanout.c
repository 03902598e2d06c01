/* What a connector sends: its state, and its pixels as the screen shows them. */
#include "display.h"

#include "../softaccel/clock.h"
#include "../softaccel/handles.h"

#include <errno.h>
#include <string.h>

IoResultCode display_status(void *ctx, uint32_t id, isle_scanout_status *out)
{
    uint64_t now = soft_now();
    struct connector *c = connector_of(ctx, id, now);
    if (!c)
        return -ENOENT;
    if (!out)
        return -EINVAL;
    *out = (isle_scanout_status){.point = c->signalled,
                                 .flip_ns = c->flip_ns,
                                 .frames = c->frames.base,
                                 .mode = c->mode,
                                 .dpms = c->dpms,
                                 .hotplugs = c->hotplugs,
                                 .connected = c->connected,
                                 .vrr_enabled = c->vrr,
                                 .cursor = c->cursor.width != 0,
                                 .pending = c->pending != 0};
    if (c->connected) {
        out->vrr_min_millihz = c->monitor->vrr_min_millihz;
        out->vrr_max_millihz = c->monitor->vrr_max_millihz;
    }
    if (frames_run(&c->frames)) {
        uint64_t newest = frames_newest(&c->frames, now);
        out->frames += newest + 1;
        out->frame_ns = frames_at(&c->frames, newest);
        out->next_ns = c->pending ? frames_flip_at(&c->frames, c->asked_ns) : frames_at(&c->frames, newest + 1);
    }
    return 0;
}

static uint32_t expand(uint32_t value, uint32_t bits)
{
    return value << (8 - bits) | value >> (2 * bits - 8);
}

static uint32_t pixel(const uint8_t *line, uint32_t x, uint32_t format)
{
    if (format == ISLE_FORMAT_XRGB8888) {
        uint32_t word;
        memcpy(&word, line + 4 * x, sizeof word);
        return word & 0xffffff;
    }
    uint16_t half;
    memcpy(&half, line + 2 * x, sizeof half);
    return expand(half >> 11, 5) << 16 | expand(half >> 5 & 63, 6) << 8 | expand(half & 31, 5);
}

static uint32_t mix(uint32_t below, uint32_t above)
{
    uint32_t alpha = above >> 24, out = 0;
    for (uint32_t shift = 0; shift < 24; shift += 8) {
        uint32_t b = below >> shift & 255, a = above >> shift & 255;
        out |= ((a * alpha + b * (255 - alpha) + 127) / 255) << shift;
    }
    return out;
}

static void draw_cursor(const struct connector *c, uint32_t y, uint32_t *line)
{
    const struct cursor *k = &c->cursor;
    if (y < k->y || y - k->y >= k->height)
        return;
    for (uint32_t x = k->x; x < c->mode.width && x - k->x < k->width; x++)
        line[x] = mix(line[x], k->pixels[(y - k->y) * k->width + (x - k->x)]);
}

static void draw(struct display *d, const struct connector *c, uint32_t y, uint8_t *out)
{
    uint32_t line[ISLE_MODE_MAX];
    const struct framebuffer *f = framebuffer_of(d, c->shown);
    uint32_t width = c->mode.width;
    memset(line, 0, width * 4);
    if (c->dpms == ACCEL_DPMS_ON) {
        const struct memory *m = f ? memory_of(&d->soft, f->memory) : NULL;
        uint32_t bytes = f && f->format == ISLE_FORMAT_RGB565 ? 2 : 4;
        for (uint32_t x = 0; m && x < width; x++)
            line[x] = pixel(m->pointer + (uint64_t)y * width * bytes, x, f->format);
        draw_cursor(c, y, line);
    }
    memcpy(out, line, width * 4);
}

IoResultCode display_read(void *ctx, uint32_t id, uint32_t first, uint32_t count, uint8_t *out, uint32_t size, uint32_t *lines,
                          uint64_t *point)
{
    struct display *d = ctx;
    struct connector *c = connector_of(d, id, soft_now());
    if (!c)
        return -ENOENT;
    if (!c->connected)
        return -ENXIO;
    if (!out || !lines || !point || !c->active || first >= c->mode.height)
        return -EINVAL;
    uint32_t most = c->mode.height - first, room = size / (c->mode.width * 4);
    most = most < count ? most : count;
    *lines = most < room ? most : room;
    *point = c->signalled;
    for (uint32_t i = 0; i < *lines; i++)
        draw(d, c, first + i, out + (uint64_t)i * c->mode.width * 4);
    return 0;
}
