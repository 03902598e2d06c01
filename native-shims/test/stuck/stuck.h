/* The software device, one of whose entries does not return. */
#define isle_driver_entry soft_driver_entry
#include "../../softaccel/driver.c"
#undef isle_driver_entry

#include <unistd.h>

__attribute__((visibility("default"))) const isle_driver *isle_driver_entry(uint32_t kabi);

static void stuck(void)
{
    for (;;)
        pause();
}
