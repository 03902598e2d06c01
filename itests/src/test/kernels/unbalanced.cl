#ifdef LONG
#define BEGIN if (get_local_id(0)) {
#else
#define BEGIN
#endif
kernel void by_unbalanced(global uint *y) {
    BEGIN
    y[get_global_id(0)] = 1;
#ifdef LONG
    }
#endif
}
kernel void beside_unbalanced(global uint *y) { y[get_global_id(0)] = 1; }
