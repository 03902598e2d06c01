/* Convolutions against the sum that defines them, with edges, channels, kernels larger than the image, and every rounding. */
#include <errno.h>
#include <math.h>

#include "compute_harness.h"

struct image {
    uint32_t width, height, channels, side_x, side_y;
};
/* around the sizes of strips (1008 elements) and bands (64 rows) */
static const struct image images[] = {{1, 1, 1, 1, 1},     {1, 1, 4, 31, 31},  {2, 3, 3, 7, 5},    {1008, 3, 1, 5, 5},  {1009, 2, 1, 3, 3},
                                      {336, 65, 3, 5, 5},  {337, 64, 3, 3, 5}, {252, 2, 4, 31, 1}, {253, 129, 4, 1, 3}, {2100, 2, 1, 31, 31},
                                      {40, 200, 2, 1, 31}, {7, 70, 1, 31, 3},  {1000, 66, 3, 5, 5}};
#define IMAGES (sizeof images / sizeof images[0])

static struct image image_of(uint32_t i, uint64_t *state)
{
    if (i < IMAGES)
        return images[i];
    return (struct image){1 + compute_below(state, 400), 1 + compute_below(state, 40), 1 + compute_below(state, 4),
                          1 + 2 * compute_below(state, 4), 1 + 2 * compute_below(state, 4)};
}

static int64_t within(int64_t v, int64_t count)
{
    return v < 0 ? 0 : v >= count ? count - 1 : v;
}

/* Element that the weight (i, j) multiplies for the result (x, y) of a channel. */
static size_t read_at(const struct image *m, int64_t x, int64_t y, int64_t i, int64_t j, uint32_t channel)
{
    int64_t sx = within(x + m->side_x / 2 - i, m->width), sy = within(y + m->side_y / 2 - j, m->height);
    return ((size_t)sy * m->width + (size_t)sx) * m->channels + channel;
}

static uint8_t exact_u8(const struct image *m, const uint8_t *in, const int16_t *w, int64_t divisor, uint64_t element)
{
    uint32_t channel = (uint32_t)(element % m->channels);
    int64_t pixel = (int64_t)(element / m->channels), x = pixel % m->width, y = pixel / m->width, sum = 0;
    for (uint32_t j = 0; j < m->side_y; j++)
        for (uint32_t i = 0; i < m->side_x; i++)
            sum += w[j * m->side_x + i] * in[read_at(m, x, y, i, j, channel)];
    int64_t twice = 2 * sum + divisor, q = twice / (2 * divisor) - (twice % (2 * divisor) < 0);
    return (uint8_t)(q < 0 ? 0 : q > 255 ? 255 : q);
}

static void make_weights(int16_t *w, uint32_t n, uint32_t i, uint64_t *state)
{
    for (uint32_t k = 0; k < n; k++)
        w[k] = (int16_t)(i % 4 == 0   ? (int32_t)compute_below(state, 40)
                         : i % 4 == 1 ? (int32_t)compute_below(state, 60) - 20
                         : i % 4 == 2 ? (int32_t)compute_below(state, 8000) - 4000
                                      : 4193303 / (int32_t)n % 4300 * (k % 2 ? 1 : -1));
    if (i % 4 == 2 && n == 1)
        w[0] = INT16_MIN;
}

static void u8_is_exact(void)
{
    static const uint32_t divisors[] = {1, 2, 3, 7, 16, 255, 273, 65537, 1u << 30, (1u << 30) - 1, 12345};
    for (int way = 0; way < COMPUTE_WAYS; way++) {
        uint64_t state = 21;
        if (!compute_begin(way, "convolve-u8"))
            continue;
        for (uint32_t i = 0; i < IMAGES * 2 + 40; i++) {
            struct image m = image_of(i % (IMAGES + 40), &state);
            uint64_t n = (uint64_t)m.width * m.height * m.channels;
            uint8_t *in = compute_place(0, n, i & 1), *out = compute_place(2, n, i & 4);
            int16_t *w = compute_place(1, 2ull * m.side_x * m.side_y, i & 2);
            uint32_t divisor = divisors[i % 11];
            make_weights(w, m.side_x * m.side_y, i, &state);
            for (uint64_t e = 0; e < n; e++)
                in[e] = (uint8_t)(i % 5 ? test_random(&state) : 255);
            CHECK_EQ(0, compute_run(3, (uint32_t[]){m.width, m.height, m.channels, m.side_x, m.side_y, divisor}, 6));
            uint64_t step = 1 + n * m.side_x * m.side_y / 4000000; /* of the large ones, some */
            for (uint64_t e = 0; e < n; e += step)
                CHECK_EQ(exact_u8(&m, in, w, divisor, e), out[e]);
            CHECK_EQ(exact_u8(&m, in, w, divisor, n - 1), out[n - 1]);
        }
        soft_end();
    }
}

/* Every sum at which rounding turns over, one pixel an image: the weight is the sum. */
static void u8_rounds_half_up(void)
{
    for (int way = 0; way < COMPUTE_WAYS; way++) {
        if (!compute_begin(way, "convolve-u8"))
            continue;
        uint8_t *in = compute_place(0, 256, true), *out = compute_place(2, 256, true);
        int16_t *w = compute_place(1, 2, true);
        struct image m = {256, 1, 1, 1, 1};
        for (uint32_t e = 0; e < 256; e++)
            in[e] = (uint8_t)e;
        for (uint32_t divisor = 1; divisor < 600; divisor++)
            for (int weight = -2; weight < 5; weight++) {
                *w = (int16_t)(weight == 4 ? (int)divisor / 2 : weight);
                CHECK_EQ(0, compute_run(3, (uint32_t[]){256, 1, 1, 1, 1, divisor}, 6));
                for (uint32_t e = 0; e < 256; e++)
                    CHECK_EQ(exact_u8(&m, in, w, divisor, e), out[e]);
            }
        soft_end();
    }
}

static bool right_f32(const struct image *m, const float *in, const float *w, uint64_t element, float got)
{
    uint32_t channel = (uint32_t)(element % m->channels), n = m->side_x * m->side_y;
    int64_t pixel = (int64_t)(element / m->channels);
    double sum = 0, size = 0;
    for (uint32_t j = 0; j < m->side_y; j++)
        for (uint32_t i = 0; i < m->side_x; i++) {
            double p = (double)w[j * m->side_x + i] * in[read_at(m, pixel % m->width, pixel / m->width, i, j, channel)];
            sum += p;
            size += fabs(p);
        }
    return isnan(sum) ? isnan(got) : isinf(sum) ? got == sum : fabs(got - sum) <= (n + 1) * 0x1p-24 * size + 1e-44;
}

static void f32_is_near_the_sum(void)
{
    for (int way = 0; way < COMPUTE_WAYS; way++) {
        uint64_t state = 22;
        if (!compute_begin(way, "convolve-f32"))
            continue;
        for (uint32_t i = 0; i < IMAGES + 40; i++) {
            struct image m = image_of(i, &state);
            uint64_t n = (uint64_t)m.width * m.height * m.channels;
            float *in = compute_place(0, 4 * n, i & 1), *out = compute_place(2, 4 * n, i & 4);
            float *w = compute_place(1, 4ull * m.side_x * m.side_y, i & 2);
            for (uint64_t e = 0; e < n; e++)
                in[e] = i % 4 || compute_below(&state, 50) ? compute_float(&state) : compute_below(&state, 2) ? INFINITY : NAN;
            for (uint32_t e = 0; e < m.side_x * m.side_y; e++)
                w[e] = compute_float(&state);
            CHECK_EQ(0, compute_run(3, (uint32_t[]){m.width, m.height, m.channels, m.side_x, m.side_y}, 5));
            uint64_t step = 1 + n * m.side_x * m.side_y / 4000000;
            for (uint64_t e = 0; e < n; e += step)
                CHECK(right_f32(&m, in, w, e, out[e]));
            CHECK(right_f32(&m, in, w, n - 1, out[n - 1]));
        }
        soft_end();
    }
}

static const struct test tests[] = {TEST(u8_is_exact), TEST(u8_rounds_half_up), TEST(f32_is_near_the_sum)};

int main(int argc, char **argv)
{
    return run_tests("convolve", tests, sizeof tests / sizeof tests[0], argc, argv);
}
