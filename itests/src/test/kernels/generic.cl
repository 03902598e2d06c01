uint after(uint *p) { return *p + 1; }
kernel void generic_pointers(global uint *y) {
    uint own = get_global_id(0);
    y[own] = after(&own) + after(&y[own]);
}
