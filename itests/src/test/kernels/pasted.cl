#define JOIN(a, b) a##b
#define DOWN(a, b) JOIN(get_lo, a##b)(0)
kernel void by_pasted_names(global uint *y) { y[get_global_id(0)] = DOWN(cal, _id); }
kernel void beside_pasted_names(global uint *y) { y[get_global_id(0)] = 9; }
