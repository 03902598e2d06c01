/*
 * The next version of the software device, whose devices do not open: a bad update, in tests of the core. A device whose seed is "crash" ends
 * the process.
 */
#include <stdlib.h>
#include <string.h>

#define isle_driver_entry soft_driver_entry
#include "../../softaccel/driver.c"
#undef isle_driver_entry

static IoResultCode does_not_open(void *driver, const isle_device_seed *seed, const isle_setting_value *values, uint32_t count,
                                  const isle_core *core, void **out)
{
    (void)driver, (void)values, (void)count;
    core->log(core->core, ISLE_LOG_ERROR, "an error before the last one");
    core->log(core->core, ISLE_LOG_ERROR, "this version does not open");
    for (int i = 0; i < 2; i++)
        core->log(core->core, ISLE_LOG_WARN, "a warning after that");
    *out = NULL;
    if (!strcmp(seed->name, "crash"))
        abort();
    return -EIO;
}

__attribute__((visibility("default"))) const isle_driver *isle_driver_entry(uint32_t kabi);

const isle_driver *isle_driver_entry(uint32_t kabi)
{
    static isle_driver driver;
    driver = *soft_driver_entry(kabi);
    driver.version = "9.9.9";
    driver.open = does_not_open;
    return &driver;
}
