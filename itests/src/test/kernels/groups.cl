#define LID get_local_id(0)
uint mine(void) { return get_local_id(0); }
uint through(void) { return mine(); }

kernel void in_a_macro(global uint *y) { y[get_global_id(0)] = LID; }
kernel void in_a_function(global uint *y) { y[get_global_id(0)] = through(); }
kernel void by_its_group(global uint *y) { y[get_global_id(0)] = get_group_id(0); }
kernel void by_the_groups(global uint *y) { y[get_global_id(0)] = get_num_groups(0); }
kernel void by_a_barrier(global uint *y) {
    y[get_global_id(0)] = 1;
    barrier(CLK_GLOBAL_MEM_FENCE);
    y[get_global_id(0)] += y[get_global_id(0) ^ 1];
}
kernel void local_argument(global const float *x, global float *y, local float *part) {
    uint l = get_local_id(0);
    part[l] = x[get_global_id(0)];
    for (uint d = get_local_size(0) / 2; d; d /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < d)
            part[l] += part[l + d];
    }
    if (!l)
        y[get_group_id(0)] = part[0];
}
kernel void two_local_arguments(global const uint *x, global uint *y, local uint *a, local uchar4 *b) {
    uint l = get_local_id(0), last = get_local_size(0) - 1;
    a[l] = x[get_global_id(0)];
    b[l] = (uchar4)(l);
    barrier(CLK_LOCAL_MEM_FENCE);
    y[get_global_id(0)] = a[last - l] + b[last - l].w;
}
kernel void local_variable(global const uint *x, global uint *y) {
    local uint tile[4][8];
    size_t c = get_local_id(0), r = get_local_id(1);
    tile[r][c] = x[get_global_id(1) * get_global_size(0) + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    y[get_global_id(1) * get_global_size(0) + get_global_id(0)] = tile[3 - r][7 - c];
}
kernel __attribute__((reqd_work_group_size(16, 1, 1))) void required_size(global const uint *x, global uint *y) {
    local uint tile[16];
    tile[get_local_id(0)] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    y[get_global_id(0)] = tile[15 - get_local_id(0)];
}
kernel void async_copies(global const uint *x, global uint *y, local uint *tile) {
    event_t done = async_work_group_copy(tile, x + get_group_id(0) * 8, 8, 0);
    wait_group_events(1, &done);
    y[get_global_id(0)] = tile[7 - get_local_id(0)];
}
kernel void no_dependence(global uint *y) {
    /* get_local_id(0), barrier() */
    y[get_global_id(0)] = sizeof("get_local_id") + 1;
}
