// y[i] = x[i] * factor. What a kernel only reads is const.
__kernel void scale(__global const float *x, __global float *y, float factor)
{
    size_t i = get_global_id(0);
    y[i] = x[i] * factor;
}
