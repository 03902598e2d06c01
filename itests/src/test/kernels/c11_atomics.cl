kernel void c11_atomics(global atomic_uint *y, global const uint *x) {
    atomic_fetch_add_explicit(y, x[get_global_id(0)], memory_order_relaxed, memory_scope_device);
}
