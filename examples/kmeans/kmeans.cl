// K-means over the pixels of an image, in whole numbers: results are the same on every device.
// Labels count from 1; 0 is a pixel without a label.

// The first centres: pixels at equal distances.
kernel void seed(global const uchar *pixels, global uint *centres, ulong count, uint channels, uint k)
{
    size_t centre = get_global_id(0) / channels, channel = get_global_id(0) % channels;
    centres[get_global_id(0)] = pixels[(centre * count / k) * channels + channel];
}

// Each pixel gets the label of the nearest centre, of equally near ones the first.
kernel void assign(global const uchar *pixels, global const uint *centres, global uint *labels, global uint *sums, global uint *counts,
                   global uint *changed, uint channels, uint k)
{
    size_t pixel = get_global_id(0);
    uint nearest = 0, least = UINT_MAX;
    for (uint centre = 0; centre < k; centre++) {
        uint distance = 0;
        for (uint channel = 0; channel < channels; channel++) {
            int apart = (int)centres[centre * channels + channel] - pixels[pixel * channels + channel];
            distance += apart * apart;
        }
        if (distance < least) {
            least = distance;
            nearest = centre;
        }
    }
    if (labels[pixel] != nearest + 1) {
        labels[pixel] = nearest + 1;
        atomic_inc(changed);
    }
    atomic_inc(&counts[nearest]);
    for (uint channel = 0; channel < channels; channel++)
        atomic_add(&sums[nearest * channels + channel], (uint)pixels[pixel * channels + channel]);
}

// Each centre moves to the mean of its pixels, rounded; a centre without pixels stays.
kernel void move(global uint *centres, global const uint *sums, global const uint *counts, uint channels)
{
    uint count = counts[get_global_id(0) / channels];
    if (count)
        centres[get_global_id(0)] = (sums[get_global_id(0)] + count / 2) / count;
}

// Each pixel gets the colour of its centre.
kernel void paint(global const uint *labels, global const uint *centres, global uchar *painted, uint channels)
{
    size_t pixel = get_global_id(0) / channels, channel = get_global_id(0) % channels;
    painted[get_global_id(0)] = centres[(labels[pixel] - 1) * channels + channel];
}
