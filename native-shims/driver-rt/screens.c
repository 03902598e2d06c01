/* What connectors and screens say about themselves. A driver's counts, sizes and flags are checked before the core sees them. */
#include <errno.h>

#include "control.h"

static IoResultCode bad(isle_rt *rt, const char *what)
{
    char text[128];
    rt_why(text, sizeof text, "the driver's display is wrong: %s", what);
    rt_log(rt, ISLE_LOG_ERROR, text);
    return -EPROTO;
}

static bool connector_ok(const AccelConnectorInfo *all, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (all[k].connector_id == all[i].connector_id)
            return false;
    return all[i].connector_type <= ACCEL_CONNECTOR_VIRTUAL && all[i].max_width <= ISLE_MODE_MAX && all[i].max_height <= ISLE_MODE_MAX &&
           all[i].connected <= 1 && all[i].active <= 1;
}

IoResultCode control_connectors(struct call *c)
{
    isle_rt *rt = c->rt;
    AccelConnectorInfo all[ISLE_MAX_CONNECTORS] = {0};
    uint32_t count = 0;
    if (!rt->display_vt.get_connectors)
        return IO_NOT_SUPPORTED;
    IoResultCode rc = rt->display_vt.get_connectors(rt->device, all, ISLE_MAX_CONNECTORS, &count);
    if (rc < 0)
        return rc;
    if (count > ISLE_MAX_CONNECTORS)
        return bad(rt, "more connectors than 64");
    for (uint32_t i = 0; i < count; i++) {
        if (!connector_ok(all, i))
            return bad(rt, "the id of a connector is not unique, or its type, size or a flag is invalid");
        memset(all[i]._pad, 0, sizeof all[i]._pad);
    }
    c->out_length = count * (uint32_t)sizeof all[0];
    memcpy(c->out, all, c->out_length);
    return 0;
}

bool mode_ok(const AccelDisplayMode *m)
{
    return m->width && m->width <= ISLE_MODE_MAX && m->height && m->height <= ISLE_MODE_MAX && m->refresh_millihz &&
           m->refresh_millihz <= 1000000 && m->clock_khz && m->preferred <= 1;
}

IoResultCode control_modes(struct call *c)
{
    isle_rt *rt = c->rt;
    AccelDisplayMode all[ISLE_MAX_MODES] = {0};
    uint32_t count = 0;
    if (!rt->display_vt.get_modes)
        return IO_NOT_SUPPORTED;
    IoResultCode rc = rt->display_vt.get_modes(rt->device, call_u32(c), all, ISLE_MAX_MODES, &count);
    if (rc < 0)
        return rc;
    if (count > ISLE_MAX_MODES)
        return bad(rt, "more modes than 256");
    for (uint32_t i = 0; i < count; i++) {
        if (!mode_ok(&all[i]))
            return bad(rt, "size, refresh rate, clock or flag of a mode");
        memset(all[i]._pad, 0, sizeof all[i]._pad);
    }
    c->out_length = count * (uint32_t)sizeof all[0];
    memcpy(c->out, all, c->out_length);
    return 0;
}

IoResultCode control_hotplug_status(struct call *c)
{
    isle_rt *rt = c->rt;
    uint8_t connected = 0;
    if (!rt->display_vt.get_hotplug_status)
        return IO_NOT_SUPPORTED;
    IoResultCode rc = rt->display_vt.get_hotplug_status(rt->device, call_u32(c), &connected);
    c->out[0] = connected != 0;
    return rc;
}

IoResultCode control_edid(struct call *c)
{
    isle_rt *rt = c->rt;
    uint32_t size = 0;
    if (!rt->display_vt.read_edid)
        return IO_NOT_SUPPORTED;
    memset(c->out, 0, ISLE_EDID_MAX);
    IoResultCode rc = rt->display_vt.read_edid(rt->device, call_u32(c), c->out, ISLE_EDID_MAX, &size);
    if (rc < 0)
        return rc;
    if (size > ISLE_EDID_MAX || size % ISLE_EDID_BLOCK)
        return bad(rt, "size of an EDID: blocks of 128 bytes up to 32768 are needed");
    c->out_length = size;
    return 0;
}

IoResultCode control_scanout_status(struct call *c)
{
    isle_rt *rt = c->rt;
    isle_scanout_status s = {0};
    if (!rt->scanout_vt.status)
        return IO_NOT_SUPPORTED;
    IoResultCode rc = rt->scanout_vt.status(rt->device, call_u32(c), &s);
    if (rc < 0)
        return rc;
    static const AccelDisplayMode none;
    if (s.dpms > ACCEL_DPMS_OFF || s.connected > 1 || s.vrr_enabled > 1 || s.cursor > 1 || s.pending > 1 ||
        s.vrr_min_millihz > s.vrr_max_millihz || (memcmp(&s.mode, &none, sizeof none) && !mode_ok(&s.mode)))
        return bad(rt, "mode, power state, range or flag of a scanout");
    memset(s._pad, 0, sizeof s._pad);
    memcpy(c->out, &s, sizeof s);
    return 0;
}

IoResultCode control_scanout_read(struct call *c)
{
    isle_rt *rt = c->rt;
    isle_scanout_request q;
    isle_scanout_status s = {0};
    memcpy(&q, c->body, sizeof q);
    if (!rt->scanout_vt.read)
        return IO_NOT_SUPPORTED;
    IoResultCode rc = rt->scanout_vt.status(rt->device, q.connector, &s);
    if (rc < 0)
        return rc;
    if (!s.connected)
        return -ENXIO;
    if (!s.mode.width || q.first_line >= s.mode.height || !q.line_count)
        return -EINVAL;
    if (!mode_ok(&s.mode))
        return bad(rt, "mode of a scanout");
    isle_scanout_part part = {.width = s.mode.width, .height = s.mode.height, .first_line = q.first_line};
    uint32_t room = c->out_size - (uint32_t)sizeof part, line = s.mode.width * 4;
    uint32_t most = s.mode.height - q.first_line;
    most = most < room / line ? most : room / line;
    most = most < q.line_count ? most : q.line_count;
    if (!most)
        return -EMSGSIZE;
    memset(c->out, 0, sizeof part + most * line);
    rc = rt->scanout_vt.read(rt->device, q.connector, q.first_line, most, c->out + sizeof part, most * line, &part.line_count, &part.point);
    if (rc < 0)
        return rc;
    if (!part.line_count || part.line_count > most)
        return bad(rt, "count of lines read");
    memcpy(c->out, &part, sizeof part);
    c->out_length = (uint32_t)sizeof part + part.line_count * line;
    return 0;
}
