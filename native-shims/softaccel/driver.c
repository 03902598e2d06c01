#define _GNU_SOURCE
#include <errno.h>

#include "device.h"
#include "settings.h"

static IoResultCode soft_init(void **out_driver)
{
    *out_driver = NULL;
    return 0;
}

static IoResultCode soft_probe(void *driver, uint32_t index, isle_device_seed *out)
{
    (void)driver;
    if (index)
        return -ENOENT;
    *out = (isle_device_seed){.name = "soft", .summary = "software accelerator on this machine's CPUs"};
    return 0;
}

/* Any seed is fine: a software device exists because its configuration does. */
static IoResultCode soft_open(void *driver, const isle_device_seed *seed, const isle_setting_value *values, uint32_t value_count,
                              const isle_core *core, void **out_device)
{
    (void)driver;
    if (!seed || !core || !out_device || (value_count && !values))
        return -EINVAL;
    struct settings settings;
    struct device *d;
    IoResultCode rc = settings_parse(&settings, values, value_count, core);
    if (!rc)
        rc = device_open(&settings, core, sizeof *d, &d);
    if (!rc)
        *out_device = d;
    return rc;
}

static void soft_fini(void *driver)
{
    (void)driver;
}

const isle_driver *isle_driver_entry(uint32_t kabi)
{
    static const isle_driver driver = {.struct_size = sizeof driver,
                                       .kabi_version = ISLE_KABI_VERSION,
                                       .flags = ISLE_DRIVER_COMPLETES,
                                       .name = "soft",
                                       .version = "0.1.0",
                                       .settings = soft_settings,
                                       .setting_count = SOFT_SETTINGS,
                                       .init = soft_init,
                                       .probe = soft_probe,
                                       .open = soft_open,
                                       .get_interface = soft_get_interface,
                                       .close = soft_close,
                                       .fini = soft_fini};
    return kabi >> 16 == ISLE_KABI_MAJOR ? &driver : NULL;
}
