#include "lib/grouped.h"
uint grouped(void) { return MINE; }
