package io.isle.tck;

/** Kernels in OpenCL C that show what a launch was given. */
final class KernelSources {
  /** Global and local ids of each work item, six words each. */
  static final String IDS =
      """
      __kernel void ids(__global uint *to)
      {
          size_t x = get_global_id(0) - get_global_offset(0);
          size_t y = get_global_id(1) - get_global_offset(1);
          size_t z = get_global_id(2) - get_global_offset(2);
          size_t i = 6 * ((z * get_global_size(1) + y) * get_global_size(0) + x);
          to[i] = get_global_id(0);
          to[i + 1] = get_global_id(1);
          to[i + 2] = get_global_id(2);
          to[i + 3] = get_local_id(0);
          to[i + 4] = get_local_id(1);
          to[i + 5] = get_local_id(2);
      }
      """;

  /** As {@link #IDS}, with a work-group size of its own. */
  static final String REQUIRED =
      IDS.replace("__kernel", "__kernel __attribute__((reqd_work_group_size(4, 2, 1)))");

  /** Words, turned round in each work-group. */
  static final String TURN =
      """
      __kernel void turn(__global const uint *from, __global uint *to, __local uint *room)
      {
          size_t i = get_global_id(0), l = get_local_id(0), n = get_local_size(0);
          room[l] = from[i];
          barrier(CLK_LOCAL_MEM_FENCE);
          to[i] = room[n - 1 - l];
      }
      """;

  /** A vector, and a structure behind it. */
  static final String JOIN =
      """
      struct pair { int number; float fraction; };
      __kernel void join(__global float *to, float4 v, struct pair p)
      {
          to[0] = v.x;
          to[1] = v.y;
          to[2] = v.z;
          to[3] = v.w;
          to[4] = as_float(p.number);
          to[5] = p.fraction;
      }
      """;

  /** The sum of 20 numbers, each times its place from 1 on. */
  static final String SUM =
      """
      __kernel void sum(__global uint *to,
                        uint a, uint b, uint c, uint d, uint e, uint f, uint g,
                        uint h, uint i, uint j, uint k, uint l, uint m, uint n,
                        uint o, uint p, uint q, uint r, uint s, uint t)
      {
          to[0] = a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j
                + 11 * k + 12 * l + 13 * m + 14 * n + 15 * o + 16 * p + 17 * q + 18 * r
                + 19 * s + 20 * t;
      }
      """;

  private KernelSources() {}
}
