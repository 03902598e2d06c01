/* The software device as a driver that tells of no end and has to be asked, for tests of the core. */
#define isle_driver_entry soft_driver_entry
#include "../../softaccel/driver.c"
#undef isle_driver_entry

static IoResultCode tell_nobody(void *core, const isle_completion *completion)
{
    (void)core, (void)completion;
    return 0;
}

static IoResultCode open_silent(void *driver, const isle_device_seed *seed, const isle_setting_value *values, uint32_t count,
                                const isle_core *core, void **out)
{
    static isle_core silent;
    silent = *core;
    silent.complete = tell_nobody;
    return soft_driver_entry(ISLE_KABI_VERSION)->open(driver, seed, values, count, &silent, out);
}

__attribute__((visibility("default"))) const isle_driver *isle_driver_entry(uint32_t kabi);

const isle_driver *isle_driver_entry(uint32_t kabi)
{
    static isle_driver driver;
    driver = *soft_driver_entry(kabi);
    driver.flags = 0;
    driver.open = open_silent;
    return &driver;
}
