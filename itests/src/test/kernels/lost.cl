#include "lib/none.h"
kernel void without_a_header(global uint *y) { y[0] = 1; }
