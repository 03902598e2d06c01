kernel void good(global uint *y) { y[0] = 1; }

kernel void bad(global uint *y) { y[0] = missing_name; }
