constant uint table[4] = {3, 1, 4, 1};

kernel void constants(constant uint *x, global uint *y) { y[get_global_id(0)] = x[get_global_id(0)] ^ table[get_global_id(0) % 4]; }
kernel void accumulates(global const uint *x, global uint *y) { y[get_global_id(0)] += x[get_global_id(0)]; }
kernel void consumes(global uint *x, global uint *y) {
    size_t i = get_global_id(0);
    y[i] += x[i] * 2;
    x[i] = 77;
}
kernel void in_place(global uint *x, uint a) { x[get_global_id(0)] += a; }
kernel void histogram(global const uchar *x, global uint *bins) { atomic_inc(&bins[x[get_global_id(0)] % 8]); }
kernel void atomics(global const int *x, global int *y) {
    int v = x[get_global_id(0)];
    atomic_max(&y[0], v);
    atomic_min(&y[1], v);
    atomic_or(&y[2], 1 << (v & 31));
    atomic_xor(&y[3], v);
    int old = y[4];
    while (1) {
        int found = atomic_cmpxchg(&y[4], old, old + v);
        if (found == old)
            break;
        old = found;
    }
}
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
kernel void long_atomics(global const long *x, global long *y) { atom_add(y, x[get_global_id(0)]); }
kernel void three_dimensions(global uint *y) {
    size_t x = get_global_id(0), r = get_global_id(1), z = get_global_id(2);
    y[(z * 4 + r) * 8 + x] = x + 10 * r + 100 * z + 1000 * get_global_size(2) + 10000 * get_work_dim();
}
kernel void beyond_the_end(global const uint *x, global uint *y, uint n) {
    size_t i = get_global_id(0);
    if (i < n)
        y[i] = x[n - 1 - i];
}
kernel void neighbours(global const int *x, global int *y, int n) {
    int i = get_global_id(0);
    y[i] = x[(i + 1) % n] - x[(i + n - 1) % n];
}
kernel void halve(global uint *x, global uint *left) {
    size_t i = get_global_id(0);
    x[i] /= 2;
    if (x[i])
        left[0] = 1;
}
kernel void step_of(global uint *x, uint k, uint j) { x[get_global_id(0)] = x[get_global_id(0)] * 3 + k * 10 + j; }
kernel void prints(global uint *y) {
    printf("item %d\n", (int)get_global_id(0));
    y[get_global_id(0)] = 5;
}
kernel void inner(global uint *y) { y[get_global_id(0)] += 2; }
kernel void calls_a_kernel(global uint *y) { inner(y); inner(y); }
