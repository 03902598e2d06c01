// For each channel of each pixel: the weighted sum of the neighbours, divided and rounded half up.
// Pixels outside of the image have the value of the nearest edge. The arguments are those of the built-in convolve-u8.
__kernel void blur(__global const uchar *src, __global const short *weights, __global uchar *dst, uint width, uint height,
                   uint channels, uint kernel_width, uint kernel_height, uint divisor)
{
    int column = get_global_id(0) / channels, channel = get_global_id(0) % channels, row = get_global_id(1);
    int left = kernel_width / 2, above = kernel_height / 2, sum = 0;
    for (int i = 0; i < (int)kernel_height; i++) {
        int y = clamp(row + above - i, 0, (int)height - 1);
        for (int j = 0; j < (int)kernel_width; j++) {
            int x = clamp(column + left - j, 0, (int)width - 1);
            sum += weights[i * kernel_width + j] * src[((size_t)y * width + x) * channels + channel];
        }
    }
    dst[((size_t)row * width + column) * channels + channel] = clamp((sum + (int)divisor / 2) / (int)divisor, 0, 255);
}
