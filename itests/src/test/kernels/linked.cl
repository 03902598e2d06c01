#include "lib/scale.h"
kernel void several_files(global const pair *x, global float *y) {
    size_t i = get_global_id(0);
    y[i] = scaled(x[i].a) + x[i].b;
}
