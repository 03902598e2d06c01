// One result for each element of a file.

kernel void scale(global const float *x, global float *y, float factor, float offset)
{
    size_t i = get_global_id(0);
    y[i] = x[i] * factor + offset;
}

// Nearest neighbour: the distance of each record (latitude, longitude) from a target.
kernel void nearest(global const float2 *records, global float *distances, float latitude, float longitude)
{
    size_t i = get_global_id(0);
    float2 d = (float2)(latitude, longitude) - records[i];
    distances[i] = sqrt(d.x * d.x + d.y * d.y);
}
