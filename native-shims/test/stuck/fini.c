#include "stuck.h"

static void stuck_fini(void *driver)
{
    (void)driver;
    stuck();
}

const isle_driver *isle_driver_entry(uint32_t kabi)
{
    static isle_driver driver;
    driver = *soft_driver_entry(kabi);
    driver.fini = stuck_fini;
    return &driver;
}
