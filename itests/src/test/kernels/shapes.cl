typedef struct { uchar tag; double v; short s[3]; } record;
typedef struct { uchar r, g; ushort b; } __attribute__((packed)) pixel;
typedef struct { int n; struct { uchar k; float4 v; } in; ulong end; } nested;
typedef union { uint u; float f; } word;
typedef struct { int v[250]; } wide;

kernel void float3_rows(global const float3 *x, global float *y) {
    size_t i = get_global_id(0);
    vstore3(x[i].yzx, i, y);
}
kernel void packed_rows(global const float *x, global float *y) {
    size_t i = get_global_id(0);
    vstore3(vload3(i, x).zxy, i, y);
}
kernel void float4_rows(global const float4 *x, global float *y, float4 w) { y[get_global_id(0)] = dot(x[get_global_id(0)], w); }
kernel void vectors(global double *y, int2 a, uchar4 b, double2 c, float16 d, short3 e, ulong8 f) {
    y[0] = a.x; y[1] = a.y; y[2] = b.w; y[3] = c.y; y[4] = d.sf; y[5] = e.z; y[6] = f.s7;
}
kernel void struct_buffer(global const record *x, global record *y) {
    size_t i = get_global_id(0);
    y[i].tag = x[i].tag + 1;
    y[i].v = x[i].v * 2;
    y[i].s[2] = x[i].s[0];
}
kernel void struct_argument(global float *y, nested p) { y[0] = p.n; y[1] = p.in.k; y[2] = p.in.v.w; y[3] = p.end; }
kernel void packed_argument(global uint *y, pixel p) { y[0] = p.r; y[1] = p.g; y[2] = p.b; }
kernel void union_argument(global float *y, word w) { y[0] = w.f; }
kernel void wide_argument(global int *y, wide w) { y[0] = w.v[0] + w.v[249]; }
kernel void too_wide(global int *y, wide w, float16 v) { y[0] = w.v[0] + v.s0; }
