typedef float real;
typedef uint index_t;
typedef uchar byte;
typedef enum { UP, DOWN } direction;

kernel void saxpy(global const real *x, global real *y, real a) {
    index_t i = get_global_id(0);
    y[i] = a * x[i] + 1;
}
kernel void hidden_scalars(global int *y, byte a, index_t b, direction c, real d) {
    y[0] = a; y[1] = b >> 24; y[2] = c; y[3] = d * 4;
}
kernel void in_double(global const double *x, global double *y, double a) {
    y[get_global_id(0)] = x[get_global_id(0)] * a;
}
kernel void bytes_wrap(global const uchar *x, global uchar *y, uchar a) {
    y[get_global_id(0)] = x[get_global_id(0)] + a;
}
kernel void shorts_saturate(global const short *x, global short *y, short a) {
    y[get_global_id(0)] = add_sat(x[get_global_id(0)], a);
}
kernel void high_words(global const ulong *x, global ulong *y, ulong a) {
    y[get_global_id(0)] = mul_hi(x[get_global_id(0)], a);
}
kernel void halves(global const half *x, global half *y) {
    size_t i = get_global_id(0);
    vstore_half(vload_half(i, x) * 2, i, y);
}
kernel void conversions(global const float *x, global uint *y) {
    size_t i = get_global_id(0);
    y[i] = convert_uchar_sat_rte(x[i] * 10) | popcount(as_uint(x[i])) << 8;
}
kernel void specials(global float *y, float a, float b, float c, double d) {
    y[0] = isinf(a) && a < 0; y[1] = isnan(b); y[2] = signbit(c) != 0; y[3] = d > 1e300;
}
kernel void extremes(global ulong *y, ulong a, long b, int c, uint d, char e, ushort f) {
    y[0] = a; y[1] = b; y[2] = c; y[3] = d; y[4] = e; y[5] = f;
}
kernel void formulas(global uint *y, uint a, uint b, uint c, uint d, uint e) {
    y[0] = a; y[1] = b; y[2] = c; y[3] = d; y[4] = e;
}
kernel void twenty_four(global uint *y, uchar a, char b, ushort c, short d, uint e, int f, ulong g, long h, float i, double j,
                        global const uint *u, constant float *x, uint k, uint l, uint m, uint n, uint o, uint p, uint q, uint r,
                        uint s, uint t, uint v) {
    size_t at = get_global_id(0);
    y[at] = a + b + c + d + e + f + g + h + i + j + x[0] * 0 + k + l + m + n + o + p + q + r + s + t + v + u[at];
}
kernel void unused_argument(global uint *y, global const uint *never, uint a) { y[get_global_id(0)] = a; }
