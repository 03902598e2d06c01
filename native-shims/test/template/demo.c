/* The example driver and template for drivers of others, tested as the software accelerator is. */
#include "../../../examples/driver-native/driver.c"
