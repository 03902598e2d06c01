#define _GNU_SOURCE
#include "display.h"

#include "../softaccel/device.h"
#include "../softaccel/faults.h"

#include <errno.h>
#include <string.h>

static const AccelDisplayVTable vtable = {.vtable_size = sizeof vtable,
                                          .version = ISLE_KABI_VERSION,
                                          .get_connectors = display_get_connectors,
                                          .get_modes = display_get_modes,
                                          .set_mode = display_set_mode,
                                          .create_framebuffer = display_create_framebuffer,
                                          .page_flip = display_page_flip,
                                          .set_dpms_state = display_set_dpms,
                                          .get_hotplug_status = display_get_hotplug_status,
                                          .read_edid = display_read_edid,
                                          .set_cursor = display_set_cursor,
                                          .set_vrr_enabled = display_set_vrr};

static const isle_scanout_vtable scanout = {
    .vtable_size = sizeof scanout, .version = ISLE_KABI_VERSION, .status = display_status, .read = display_read};

static IoResultCode inject(void *ctx, uint32_t fault, uint64_t after, uint64_t count, uint64_t value)
{
    if (fault != ISLE_FAULT_HOTPLUG)
        return soft_faults.inject(ctx, fault, after, count, value);
    if (after)
        return -EINVAL;
    return value <= DISPLAY_CONNECTORS ? display_hotplug(ctx, (uint32_t)value, count) : -ENOENT;
}

static const isle_fault_injection_vtable faults = {.vtable_size = sizeof faults, .version = ISLE_KABI_VERSION, .inject = inject};

static IoResultCode init(void **out_driver)
{
    *out_driver = NULL;
    return 0;
}

/* It finds nothing: a device is there because its configuration is. */
static IoResultCode probe(void *driver, uint32_t index, isle_device_seed *out)
{
    (void)driver, (void)index, (void)out;
    return -ENOENT;
}

static IoResultCode open_display(void *driver, const isle_device_seed *seed, const isle_setting_value *values, uint32_t value_count,
                                 const isle_core *core, void **out_device)
{
    (void)driver;
    if (!seed || !core || !out_device || (value_count && !values))
        return -EINVAL;
    struct settings settings;
    struct display wanted;
    struct device *soft;
    IoResultCode rc = display_settings_parse(&settings, &wanted, values, value_count, core);
    if (!rc)
        rc = device_open(&settings, core, sizeof wanted, &soft);
    if (rc)
        return rc;
    struct display *d = (struct display *)soft;
    d->connector_count = wanted.connector_count;
    memcpy(d->connectors, wanted.connectors, wanted.connector_count * sizeof d->connectors[0]);
    *out_device = d;
    return 0;
}

static IoResultCode get_interface(void *device, uint32_t interface_id, const void **out)
{
    IoResultCode rc = soft_get_interface(device, interface_id, out);
    if (out && interface_id == ISLE_IFACE_ACCEL_DISPLAY)
        *out = &vtable;
    else if (out && interface_id == ISLE_IFACE_SCANOUT)
        *out = &scanout;
    else if (!rc && interface_id == ISLE_IFACE_FAULT_INJECTION)
        *out = &faults;
    return out && *out ? 0 : rc;
}

static void fini(void *driver)
{
    (void)driver;
}

const isle_driver *isle_driver_entry(uint32_t kabi)
{
    static const isle_driver driver = {.struct_size = sizeof driver,
                                       .kabi_version = ISLE_KABI_VERSION,
                                       .flags = ISLE_DRIVER_COMPLETES,
                                       .name = "display",
                                       .version = "0.1.0",
                                       .settings = display_settings,
                                       .setting_count = DISPLAY_SETTINGS,
                                       .init = init,
                                       .probe = probe,
                                       .open = open_display,
                                       .get_interface = get_interface,
                                       .close = soft_close,
                                       .fini = fini};
    display_settings_collect();
    return kabi >> 16 == ISLE_KABI_MAJOR ? &driver : NULL;
}
