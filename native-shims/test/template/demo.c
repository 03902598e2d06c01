/* The example driver and template for drivers of others, tested as the software accelerator is. */
#include "../../../examples/driver-native/contexts.c"
#include "../../../examples/driver-native/driver.c"
#include "../../../examples/driver-native/engine.c"
#include "../../../examples/driver-native/info.c"
#include "../../../examples/driver-native/memory.c"
#include "../../../examples/driver-native/programs.c"
#include "../../../examples/driver-native/queue.c"
