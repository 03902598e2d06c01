#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "kernels.h"

/* In the order in which B lies in memory. */
static void multiply_f32(const struct inputs *p)
{
    size_t n = p->width;
    const float *a = p->in[0], *b = p->in[1];
    float *c = p->out;
    memset(c, 0, n * n * sizeof *c);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            for (size_t j = 0; j < n; j++)
                c[i * n + j] += a[i * n + k] * b[k * n + j];
}

static void multiply_i8(const struct inputs *p)
{
    size_t n = p->width;
    const int8_t *a = p->in[0], *b = p->in[1];
    int32_t *c = p->out;
    memset(c, 0, n * n * sizeof *c);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            for (size_t j = 0; j < n; j++)
                c[i * n + j] += a[i * n + k] * b[k * n + j];
}

static int64_t clamp(int64_t v, int64_t last)
{
    return v < 0 ? 0 : v > last ? last : v;
}

/* Where the weight (i, j) reads for the pixel (x, y). */
static size_t source(const struct inputs *p, size_t x, size_t y, size_t i, size_t j)
{
    int64_t sx = clamp((int64_t)(x + SIDE / 2) - (int64_t)i, p->width - 1), sy = clamp((int64_t)(y + SIDE / 2) - (int64_t)j, p->height - 1);
    return ((size_t)sy * p->width + (size_t)sx) * CHANNELS;
}

static void blur_u8(const struct inputs *p)
{
    const uint8_t *in = p->in[0];
    const int16_t *w = p->in[1];
    uint8_t *out = p->out;
    for (size_t y = 0; y < p->height; y++)
        for (size_t x = 0; x < p->width; x++)
            for (size_t c = 0; c < CHANNELS; c++) {
                int32_t sum = DIVISOR / 2;
                for (size_t j = 0; j < SIDE; j++)
                    for (size_t i = 0; i < SIDE; i++)
                        sum += w[j * SIDE + i] * in[source(p, x, y, i, j) + c];
                out[(y * p->width + x) * CHANNELS + c] = (uint8_t)clamp(sum / DIVISOR, 255);
            }
}

static void blur_f32(const struct inputs *p)
{
    const float *in = p->in[0], *w = p->in[1];
    float *out = p->out;
    for (size_t y = 0; y < p->height; y++)
        for (size_t x = 0; x < p->width; x++)
            for (size_t c = 0; c < CHANNELS; c++) {
                float sum = 0;
                for (size_t j = 0; j < SIDE; j++)
                    for (size_t i = 0; i < SIDE; i++)
                        sum += w[j * SIDE + i] * in[source(p, x, y, i, j) + c];
                out[(y * p->width + x) * CHANNELS + c] = sum;
            }
}

static void add_up(const struct inputs *p)
{
    const float *v = p->in[0];
    double sum = 0;
    for (uint64_t i = 0; i < p->width; i++)
        sum += v[i];
    memcpy(p->out, &sum, sizeof sum);
}

static void unsort(const struct inputs *p)
{
    case_fill(p->c, 0, p->out, 4ull * p->width);
}

static int order(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static void sort(const struct inputs *p)
{
    qsort(p->out, p->width, sizeof(uint32_t), order);
}

const struct peer loop_matmul_f32 = {.name = "loops", .call = multiply_f32};
const struct peer loop_matmul_i8 = {.name = "loops", .call = multiply_i8};
const struct peer loop_convolve_u8 = {.name = "loops", .call = blur_u8};
const struct peer loop_convolve_f32 = {.name = "loops", .call = blur_f32};
const struct peer loop_reduce = {.name = "loop", .call = add_up};
const struct peer qsort_u32 = {.name = "qsort", .before = unsort, .call = sort};

static void (*sgemm)(int layout, int ta, int tb, int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb,
                     float beta, float *c, int ldc);

static const char *openblas_open(void)
{
    void (*threads)(int) = NULL;
    void *so = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!so)
        return "libopenblas.so.0 is missing: apt-get install libopenblas0";
    *(void **)&sgemm = dlsym(so, "cblas_sgemm");
    *(void **)&threads = dlsym(so, "openblas_set_num_threads");
    if (!sgemm || !threads)
        return "libopenblas.so.0 lacks cblas_sgemm or openblas_set_num_threads: apt-get install libopenblas0";
    threads(1);
    return NULL;
}

static void multiply_openblas(const struct inputs *p)
{
    enum { ROW_MAJOR = 101, NO_TRANS = 111 };
    int n = (int)p->width;
    sgemm(ROW_MAJOR, NO_TRANS, NO_TRANS, n, n, n, 1, p->in[0], n, p->in[1], n, 0, p->out, n);
}

const struct peer openblas_matmul_f32 = {.name = "openblas", .open = openblas_open, .call = multiply_openblas};
