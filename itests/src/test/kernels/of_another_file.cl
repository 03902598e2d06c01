uint grouped(void);
kernel void in_another_file(global uint *y) { y[get_global_id(0)] = grouped(); }
