#ifdef LONG
kernel void by_branches(global uint *y) { if (y[0]) {
    y[get_global_id(0)] = get_local_id(0);
#else
kernel void by_branches(global uint *y) { {
#endif
    y[get_global_id(0)] = 1;
} }
