/* Connectors and what is plugged into them. */
#include "display.h"

#include "../softaccel/clock.h"

#include <errno.h>
#include <string.h>

static void show(struct connector *c, uint64_t at)
{
    c->shown = c->pending;
    c->pending = 0;
    c->signalled = c->asked;
    c->flip_ns = at;
}

/* A frame that began meanwhile has taken the flip with it. At a variable rate it is the one that later frames count from. */
static void advance(struct connector *c, uint64_t now)
{
    if (!c->pending || !frames_run(&c->frames))
        return;
    uint64_t at = frames_flip_at(&c->frames, c->asked_ns);
    if (at > now)
        return;
    show(c, at);
    if (c->frames.longest_ns)
        frames_restart(&c->frames, at, c->frames.total, c->frames.clock_khz, c->frames.longest_ns);
}

struct connector *connector_of(struct display *d, uint32_t id, uint64_t now)
{
    if (!id || id > d->connector_count)
        return NULL;
    struct connector *c = &d->connectors[id - 1];
    advance(c, now);
    return c;
}

void connector_restart(struct connector *c, uint64_t now)
{
    if (c->pending)
        show(c, now);
    bool run = c->connected && c->active && c->dpms == ACCEL_DPMS_ON;
    uint64_t longest = run && c->vrr ? 1000000000000ull / c->monitor->vrr_min_millihz : 0;
    frames_restart(&c->frames, now, run ? mode_total(&c->mode) : 0, run ? c->mode.clock_khz : 0, longest);
}

IoResultCode display_get_connectors(void *ctx, AccelConnectorInfo *out, uint32_t max, uint32_t *count)
{
    struct display *d = ctx;
    if (!count || (max && !out))
        return -EINVAL;
    *count = d->connector_count;
    for (uint32_t i = 0; i < d->connector_count && i < max; i++) {
        const struct connector *c = &d->connectors[i];
        out[i] = (AccelConnectorInfo){.connector_id = i + 1,
                                      .connector_type = c->type,
                                      .max_width = c->monitor->modes[0].width,
                                      .max_height = c->monitor->modes[0].height,
                                      .connected = c->connected,
                                      .active = c->active};
    }
    return 0;
}

IoResultCode display_get_modes(void *ctx, uint32_t id, AccelDisplayMode *out, uint32_t max, uint32_t *count)
{
    struct connector *c = connector_of(ctx, id, soft_now());
    if (!c)
        return -ENOENT;
    if (!count || (max && !out))
        return -EINVAL;
    *count = c->connected ? c->monitor->mode_count : 0;
    for (uint32_t i = 0; i < *count && i < max; i++)
        monitor_mode(c->monitor, i, &out[i]);
    return 0;
}

IoResultCode display_get_hotplug_status(void *ctx, uint32_t id, uint8_t *out)
{
    struct connector *c = connector_of(ctx, id, soft_now());
    if (!c)
        return -ENOENT;
    if (!out)
        return -EINVAL;
    *out = c->connected;
    return 0;
}

IoResultCode display_read_edid(void *ctx, uint32_t id, uint8_t *out, uint32_t max, uint32_t *size)
{
    struct connector *c = connector_of(ctx, id, soft_now());
    uint8_t edid[ISLE_EDID_BLOCK];
    if (!c)
        return -ENOENT;
    if (!size || (max && !out))
        return -EINVAL;
    if (!c->connected)
        return -ENXIO;
    edid_write(c->monitor, c->type, edid);
    *size = sizeof edid;
    if (max)
        memcpy(out, edid, max < sizeof edid ? max : sizeof edid);
    return 0;
}

/* Another screen may come next: the connector forgets its mode and all that goes with it. */
static void plug(struct connector *c, uint64_t now)
{
    c->connected = !c->connected;
    c->hotplugs++;
    c->active = c->vrr = false;
    c->dpms = ACCEL_DPMS_ON;
    c->mode = (AccelDisplayMode){0};
    c->cursor.width = c->cursor.height = 0;
    connector_restart(c, now);
    c->shown = 0;
}

IoResultCode display_hotplug(struct display *d, uint32_t id, uint64_t times)
{
    uint64_t now = soft_now();
    struct connector *c = connector_of(d, id, now);
    if (!c)
        return -ENOENT;
    if (!times || times > 1000)
        return -EINVAL;
    while (times--)
        plug(c, now);
    return 0;
}
