#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void sub_groups(global const uint *x, global uint *y) { y[get_global_id(0)] = sub_group_reduce_max(x[get_global_id(0)]); }
