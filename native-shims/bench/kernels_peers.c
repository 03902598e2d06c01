#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>

#include "kernels.h"

void plain_matmul_f32(float *c, const float *a, const float *b, uint32_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            float sum = 0;
            for (size_t k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
}

void plain_matmul_i8(int32_t *c, const int8_t *a, const int8_t *b, uint32_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            int32_t sum = 0;
            for (size_t k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
}

static int64_t clamp(int64_t v, int64_t last)
{
    return v < 0 ? 0 : v > last ? last : v;
}

/* Where the kernel's weight (i, j) reads for the pixel (x, y) of an image of n x n. */
static size_t source(int64_t x, int64_t y, int64_t i, int64_t j, int64_t radius, uint32_t n)
{
    return (size_t)clamp(y + radius - j, n - 1) * n + (size_t)clamp(x + radius - i, n - 1);
}

void plain_convolve_u8(uint8_t *out, const uint8_t *in, uint32_t n, uint32_t channels, const int16_t *w, uint32_t side, int32_t divisor)
{
    for (size_t y = 0; y < n; y++)
        for (size_t x = 0; x < n; x++)
            for (size_t c = 0; c < channels; c++) {
                int32_t sum = divisor / 2;
                for (size_t j = 0; j < side; j++)
                    for (size_t i = 0; i < side; i++)
                        sum += w[j * side + i] *
                               in[source((int64_t)x, (int64_t)y, (int64_t)i, (int64_t)j, side / 2, n) * channels + c];
                sum = sum < 0 ? 0 : sum / divisor;
                out[(y * n + x) * channels + c] = (uint8_t)(sum > 255 ? 255 : sum);
            }
}

void plain_convolve_f32(float *out, const float *in, uint32_t n, uint32_t channels, const float *w, uint32_t side)
{
    for (size_t y = 0; y < n; y++)
        for (size_t x = 0; x < n; x++)
            for (size_t c = 0; c < channels; c++) {
                float sum = 0;
                for (size_t j = 0; j < side; j++)
                    for (size_t i = 0; i < side; i++)
                        sum += w[j * side + i] *
                               in[source((int64_t)x, (int64_t)y, (int64_t)i, (int64_t)j, side / 2, n) * channels + c];
                out[(y * n + x) * channels + c] = sum;
            }
}

double plain_sum(const float *v, uint64_t n)
{
    double sum = 0;
    for (uint64_t i = 0; i < n; i++)
        sum += v[i];
    return sum;
}

static int order(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

void plain_sort(uint32_t *v, uint64_t n)
{
    qsort(v, n, sizeof *v, order);
}

static void (*sgemm)(int layout, int ta, int tb, int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb,
                     float beta, float *c, int ldc);

const char *openblas_open(void)
{
    void (*threads)(int) = NULL;
    void *so = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!so)
        return "libopenblas.so.0 is not installed (apt-get install libopenblas0-pthread)";
    *(void **)&sgemm = dlsym(so, "cblas_sgemm");
    *(void **)&threads = dlsym(so, "openblas_set_num_threads");
    if (!sgemm || !threads)
        return "libopenblas.so.0 lacks cblas_sgemm or openblas_set_num_threads";
    threads(1);
    return NULL;
}

void openblas_matmul_f32(float *c, const float *a, const float *b, uint32_t n)
{
    enum { ROW_MAJOR = 101, NO_TRANS = 111 };
    int s = (int)n;
    sgemm(ROW_MAJOR, NO_TRANS, NO_TRANS, s, s, s, 1, a, s, b, s, 0, c, s);
}
