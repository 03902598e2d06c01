kernel void takes_an_image(read_only image2d_t image, global float *y) { y[0] = get_image_width(image); }
kernel void takes_a_sampler(global float *y, sampler_t s) { y[0] = 1; }
kernel void beside_these(global float *y) { y[get_global_id(0)] = 1; }
