global uint kept = 5;
kernel void program_scope(global uint *y) { y[get_global_id(0)] = kept; }
