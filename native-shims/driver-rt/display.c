/* What is done to a display. The core names framebuffers by its ids, the driver by handles. */
#include <errno.h>

#include "control.h"

IoResultCode control_set_mode(struct call *c)
{
    isle_rt *rt = c->rt;
    isle_mode_request q;
    memcpy(&q, c->body, sizeof q);
    if (!rt->display_vt.set_mode)
        return IO_NOT_SUPPORTED;
    memset(q.mode._pad, 0, sizeof q.mode._pad);
    return mode_ok(&q.mode) ? rt->display_vt.set_mode(rt->device, q.connector, &q.mode) : -EINVAL;
}

static uint32_t pixel_bytes(uint32_t format)
{
    return format == ISLE_FORMAT_XRGB8888 ? 4 : format == ISLE_FORMAT_RGB565 ? 2 : 1;
}

IoResultCode control_create_framebuffer(struct call *c)
{
    isle_rt *rt = c->rt;
    isle_framebuffer_request q;
    struct object_view view;
    memcpy(&q, c->body, sizeof q);
    if (!rt->display_vt.create_framebuffer)
        return IO_NOT_SUPPORTED;
    IoResultCode rc = table_get(&rt->memories, q.memory, &view);
    if (!rc)
        rc = table_check_free(&rt->framebuffers, q.framebuffer);
    if (rc)
        return rc;
    if (!q.width || q.width > ISLE_MODE_MAX || !q.height || q.height > ISLE_MODE_MAX ||
        (uint64_t)q.width * q.height * pixel_bytes(q.format) > view.size)
        return -EINVAL;
    AccelFramebufferHandle handle = 0;
    rc = rt->display_vt.create_framebuffer(rt->device, view.handle, q.width, q.height, q.format, &handle);
    if (rc < 0)
        return rc;
    if (!handle) {
        rt_log(rt, ISLE_LOG_ERROR, "the driver returned success with framebuffer 0");
        return -EPROTO;
    }
    return table_put(&rt->framebuffers, q.framebuffer, &(struct object_view){.handle = handle, .owner = q.memory});
}

/* Whether the point is a later one than the last of the connector; it is the last one then. */
static bool advances(isle_rt *rt, uint32_t connector, uint64_t point)
{
    struct flips *f = rt->flips;
    while (f < rt->flips + ISLE_MAX_CONNECTORS && f->known && f->connector != connector)
        f++;
    if (f == rt->flips + ISLE_MAX_CONNECTORS || point <= f->point)
        return false;
    *f = (struct flips){.known = true, .connector = connector, .point = point};
    return true;
}

IoResultCode control_page_flip(struct call *c)
{
    isle_rt *rt = c->rt;
    isle_flip_request q;
    struct object_view view;
    AccelFence fence = {0};
    memcpy(&q, c->body, sizeof q);
    if (!rt->display_vt.page_flip)
        return IO_NOT_SUPPORTED;
    IoResultCode rc = table_get(&rt->framebuffers, q.framebuffer, &view);
    if (!rc)
        rc = rt->display_vt.page_flip(rt->device, q.connector, view.handle, &fence);
    if (rc < 0)
        return rc;
    if (fence.fence_type != ACCEL_FENCE_DEVICE_LOCAL || !advances(rt, q.connector, fence.value)) {
        rt_log(rt, ISLE_LOG_ERROR, "the driver's fence of a page flip is not device-local, or its point did not grow");
        return -EPROTO;
    }
    memcpy(c->out, &fence.value, sizeof fence.value);
    return 0;
}

static isle_connector_value value_of(const struct call *c)
{
    isle_connector_value q;
    memcpy(&q, c->body, sizeof q);
    return q;
}

IoResultCode control_set_dpms(struct call *c)
{
    isle_rt *rt = c->rt;
    isle_connector_value q = value_of(c);
    if (!rt->display_vt.set_dpms_state)
        return IO_NOT_SUPPORTED;
    return q.value <= ACCEL_DPMS_OFF ? rt->display_vt.set_dpms_state(rt->device, q.connector, q.value) : -EINVAL;
}

IoResultCode control_set_vrr(struct call *c)
{
    isle_rt *rt = c->rt;
    isle_connector_value q = value_of(c);
    if (!rt->display_vt.set_vrr_enabled)
        return IO_NOT_SUPPORTED;
    return q.value <= 1 ? rt->display_vt.set_vrr_enabled(rt->device, q.connector, (uint8_t)q.value) : -EINVAL;
}

IoResultCode control_set_cursor(struct call *c)
{
    isle_rt *rt = c->rt;
    isle_cursor_request q;
    memcpy(&q, c->body, sizeof q);
    if (!rt->display_vt.set_cursor)
        return IO_NOT_SUPPORTED;
    if (q.width > ISLE_CURSOR_MAX || q.height > ISLE_CURSOR_MAX || !q.width != !q.height || q.x > ISLE_MODE_MAX || q.y > ISLE_MODE_MAX ||
        c->length != sizeof q + (uint64_t)q.width * q.height * 4)
        return -EINVAL;
    const uint8_t *image = q.width ? c->body + sizeof q : NULL;
    return rt->display_vt.set_cursor(rt->device, q.connector, image, q.width, q.height, q.x, q.y);
}
