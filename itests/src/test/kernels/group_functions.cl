kernel void group_functions(global const uint *x, global uint *y) { y[get_global_id(0)] = work_group_reduce_add(x[get_global_id(0)]); }
