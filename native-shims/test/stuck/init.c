#include "stuck.h"

static IoResultCode stuck_init(void **out)
{
    *out = NULL;
    stuck();
    return 0;
}

const isle_driver *isle_driver_entry(uint32_t kabi)
{
    static isle_driver driver;
    driver = *soft_driver_entry(kabi);
    driver.init = stuck_init;
    return &driver;
}
