kernel void by_an_option(global uint *y) { y[get_global_id(0)] = ID; }
