kernel void version(global uint *y) { y[0] = __OPENCL_C_VERSION__; }
