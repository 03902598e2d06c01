/* A display that lies: "display-WHAT" says about what, "display" is honest. One connector, 7, of 64 x 4 pixels. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "testdriver.h"

static const AccelDisplayMode mode = {.width = 64, .height = 4, .refresh_millihz = 60000, .clock_khz = 100, .preferred = 1};
static uint64_t flips;

static IoResultCode get_connectors(void *ctx, AccelConnectorInfo *out, uint32_t max, uint32_t *count)
{
    (void)ctx;
    uint32_t n = test_is("display-many-connectors") ? max : 2;
    for (uint32_t i = 0; i < n; i++)
        out[i] = (AccelConnectorInfo){.connector_id = 7 + i, .connected = 1};
    if (test_is("display-same-id"))
        out[1].connector_id = 7;
    if (test_is("display-type"))
        out[1].connector_type = ACCEL_CONNECTOR_VIRTUAL + 1;
    if (test_is("display-size"))
        out[1].max_width = ISLE_MODE_MAX + 1;
    if (test_is("display-flag"))
        out[1].connected = 2;
    memset(out[0]._pad, 0xaa, sizeof out[0]._pad);
    *count = test_is("display-connector-count") ? UINT32_MAX : n;
    return 0;
}

static IoResultCode get_modes(void *ctx, uint32_t id, AccelDisplayMode *out, uint32_t max, uint32_t *count)
{
    (void)ctx, (void)max;
    if (id != 7)
        return -ENOENT;
    out[0] = mode;
    if (test_is("display-mode"))
        out[0].width = 0;
    if (test_is("display-rate"))
        out[0].refresh_millihz = UINT32_MAX;
    memset(out[0]._pad, 0xaa, sizeof out[0]._pad);
    *count = test_is("display-mode-count") ? ISLE_MAX_MODES + 1 : 1;
    return 0;
}

/* The mode must come as it went out. */
static IoResultCode set_mode(void *ctx, uint32_t id, const AccelDisplayMode *wanted)
{
    (void)ctx;
    return id != 7 ? -ENOENT : memcmp(wanted, &mode, sizeof mode) ? -EINVAL : 0;
}

static IoResultCode create_framebuffer(void *ctx, AccelMemHandle mem, uint32_t width, uint32_t height, uint32_t format,
                                       AccelFramebufferHandle *out)
{
    (void)ctx, (void)width, (void)height, (void)format;
    *out = test_is("display-handle") ? 0 : mem + 1000;
    return 0;
}

static IoResultCode page_flip(void *ctx, uint32_t id, AccelFramebufferHandle fb, AccelFence *out)
{
    (void)ctx;
    if (id != 7 || fb < 1000)
        return -EINVAL;
    *out = (AccelFence){.value = test_is("display-point") ? 5 : ++flips};
    if (test_is("display-fence"))
        out->fence_type = ACCEL_FENCE_CPU_SIGNAL;
    return 0;
}

static IoResultCode set_dpms(void *ctx, uint32_t id, AccelDpmsState state)
{
    (void)ctx;
    return id == 7 && state <= ACCEL_DPMS_OFF ? 0 : -ENOENT;
}

static IoResultCode hotplug(void *ctx, uint32_t id, uint8_t *out)
{
    (void)ctx;
    *out = 0xff; /* anything but 0 is yes */
    return id == 7 ? 0 : -ENOENT;
}

static IoResultCode read_edid(void *ctx, uint32_t id, uint8_t *out, uint32_t max, uint32_t *size)
{
    (void)ctx, (void)id;
    memset(out, 0x11, max);
    *size = test_is("display-edid") ? 130 : test_is("display-edid-size") ? UINT32_MAX & ~127u : max;
    return 0;
}

static const AccelDisplayVTable display = {.vtable_size = offsetof(AccelDisplayVTable, set_cursor),
                                           .version = ISLE_KABI_VERSION,
                                           .get_connectors = get_connectors,
                                           .get_modes = get_modes,
                                           .set_mode = set_mode,
                                           .create_framebuffer = create_framebuffer,
                                           .page_flip = page_flip,
                                           .set_dpms_state = set_dpms,
                                           .get_hotplug_status = hotplug,
                                           .read_edid = read_edid};

static IoResultCode status(void *ctx, uint32_t id, isle_scanout_status *out)
{
    (void)ctx, (void)id;
    *out = (isle_scanout_status){.mode = mode, .connected = 1};
    if (test_is("display-dpms"))
        out->dpms = 4;
    if (test_is("display-range"))
        out->vrr_min_millihz = 1;
    if (test_is("display-status-mode"))
        out->mode.clock_khz = 0;
    return 0;
}

static IoResultCode read_lines(void *ctx, uint32_t id, uint32_t first, uint32_t count, uint8_t *out, uint32_t size, uint32_t *lines,
                               uint64_t *point)
{
    (void)ctx, (void)id, (void)first;
    memset(out, 0x22, size);
    *lines = test_is("display-lines") ? count + 1 : test_is("display-no-lines") ? 0 : count;
    *point = flips;
    return 0;
}

static const isle_scanout_vtable scanout = {
    .vtable_size = sizeof scanout, .version = ISLE_KABI_VERSION, .status = status, .read = read_lines};

const void *test_display_interface(uint32_t id)
{
    const char *variant = getenv("ISLE_TEST_DRIVER");
    if (!variant || strncmp(variant, "display", 7))
        return NULL;
    return id == ISLE_IFACE_ACCEL_DISPLAY ? (const void *)&display : id == ISLE_IFACE_SCANOUT ? (const void *)&scanout : NULL;
}
