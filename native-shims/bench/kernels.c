/*
 * bench-kernels DRIVER.so PROGRAM SIZE ROUNDS [SIMD]
 *
 * Prints "PROGRAM SIZE WHO NS" for each of ROUNDS calls of our program and of what others do the same with, in turn, all on one
 * thread; a peer that is not there is a line on standard error. SIZE: matrices and images of SIZE x SIZE (images: 3 channels, kernel
 * 5 x 5), SIZE elements for reduce (a sum of f32) and sort (u32). SIMD: the device's setting, auto unless given.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "futex.h"
#include "kernels.h"

#define CHANNELS 3u
#define SIDE 5u
#define DIVISOR 273

struct inputs {
    uint32_t n;
    const void *in[2];
    void *out;  /* peers' */
    void *work; /* what the program sorts */
};

struct peer {
    const char *name;
    void (*call)(const struct inputs *i);
    const char *(*open)(void);
};

struct bench_case {
    const char *program;
    uint32_t size;     /* most */
    uint32_t squared;  /* buffers have n * n elements, not n */
    uint32_t buffers, scalar_count;
    uint32_t bytes[KERNEL_BUFFERS]; /* of an element and its channels; 0: the weights */
    struct peer peers[2];
};

static void loops_matmul_f32(const struct inputs *i)
{
    plain_matmul_f32(i->out, i->in[0], i->in[1], i->n);
}

static void blas_matmul_f32(const struct inputs *i)
{
    openblas_matmul_f32(i->out, i->in[0], i->in[1], i->n);
}

static void loops_matmul_i8(const struct inputs *i)
{
    plain_matmul_i8(i->out, i->in[0], i->in[1], i->n);
}

static void loops_convolve_u8(const struct inputs *i)
{
    plain_convolve_u8(i->out, i->in[0], i->n, CHANNELS, i->in[1], SIDE, DIVISOR);
}

static void loops_convolve_f32(const struct inputs *i)
{
    plain_convolve_f32(i->out, i->in[0], i->n, CHANNELS, i->in[1], SIDE);
}

static void loops_reduce(const struct inputs *i)
{
    *(double *)i->out = plain_sum(i->in[0], i->n);
}

static void loops_sort(const struct inputs *i)
{
    plain_sort(i->out, i->n);
}

static const struct bench_case cases[] = {
    {"matmul-f32", 8192, 1, 3, 3, {4, 4, 4}, {{"three-loops", loops_matmul_f32, NULL}, {"openblas", blas_matmul_f32, openblas_open}}},
    {"matmul-i8", 8192, 1, 3, 3, {1, 1, 4}, {{"three-loops", loops_matmul_i8, NULL}}},
    {"convolve-u8", 16384, 1, 3, 6, {CHANNELS, 0, CHANNELS}, {{"loops", loops_convolve_u8, NULL}}},
    {"convolve-f32", 8192, 1, 3, 5, {4 * CHANNELS, 0, 4 * CHANNELS}, {{"loops", loops_convolve_f32, NULL}}},
    {"reduce", 1u << 28, 0, 2, 2, {4, 0}, {{"loop", loops_reduce, NULL}}},
    {"sort", 1u << 28, 0, 1, 1, {4}, {{"qsort", loops_sort, NULL}}},
};

static uint32_t scalars_of(const struct bench_case *c, uint32_t n, uint32_t *s)
{
    const uint32_t image[] = {n, n, CHANNELS, SIDE, SIDE, DIVISOR}, sum[] = {ISLE_ARG_F32, 0};
    for (uint32_t i = 0; i < c->scalar_count; i++)
        s[i] = c->buffers == 1 ? ISLE_ARG_U32 : c->buffers == 2 ? sum[i] : c->scalar_count == 3 ? n : image[i];
    return c->scalar_count;
}

/* Numbers of every type that is read: small floats, any bytes. */
static void make_up(void *to, uint64_t bytes, int floats)
{
    uint32_t x = 12345, *words = to;
    for (uint64_t i = 0; i < bytes / 4; i++) {
        x = x * 1664525u + 1013904223u;
        float f = (float)(x >> 8) / (1 << 24) - 0.5f;
        if (floats)
            memcpy(&words[i], &f, 4);
        else
            words[i] = x ^ x >> 15;
    }
}

static void make_weights(void *to, int floats)
{
    static const int16_t gauss[SIDE * SIDE] = {1,  4, 7,  4,  1, 4,  16, 26, 16, 4, 7, 26, 41,
                                               26, 7, 4,  16, 26, 16, 4, 1,  4,  7, 4, 1};
    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        if (floats)
            ((float *)to)[i] = (float)gauss[i] / DIVISOR;
        else
            ((int16_t *)to)[i] = gauss[i];
}

static uint64_t call_peer(const struct bench_case *c, const struct peer *p, const struct inputs *i, uint64_t bytes)
{
    if (c->buffers == 1)
        make_up(i->out, bytes, 0);
    uint64_t start = clock_ns();
    p->call(i);
    return clock_ns() - start;
}

static void run(const char *library, const struct bench_case *c, uint32_t n, uint32_t rounds, const char *simd)
{
    uint64_t count = c->squared ? (uint64_t)n * n : n, bytes[KERNEL_BUFFERS];
    int floats = strstr(c->program, "f32") || c->buffers == 2;
    uint32_t scalars[8], used = scalars_of(c, n, scalars);
    for (uint32_t i = 0; i < c->buffers; i++)
        bytes[i] = c->bytes[i] ? count * c->bytes[i] : SIDE * SIDE * 4;
    struct kernel_device *d = kernel_device_open(library, c->program, bytes, c->buffers, simd);
    struct inputs in = {.n = n, .out = malloc(bytes[c->buffers - 1] + 8)};
    for (uint32_t i = 0; i + 1 < c->buffers; i++) {
        in.in[i] = kernel_device_buffer(d, i);
        if (c->bytes[i])
            make_up(kernel_device_buffer(d, i), bytes[i], floats);
        else
            make_weights(kernel_device_buffer(d, i), floats);
    }
    for (uint32_t r = 0; in.out && r <= rounds; r++) { /* the first warms up */
        if (c->buffers == 1)
            make_up(kernel_device_buffer(d, 0), bytes[0], 0);
        uint64_t ns = kernel_device_call(d, scalars, used);
        if (r)
            printf("%s %u ours %llu\n", c->program, n, (unsigned long long)ns);
        for (const struct peer *p = c->peers; p < c->peers + 2 && p->name; p++) {
            const char *why = p->open ? p->open() : NULL;
            if (why && !r)
                fprintf(stderr, "bench-kernels: no %s: %s\n", p->name, why);
            if (!why && r)
                printf("%s %u %s %llu\n", c->program, n, p->name, (unsigned long long)call_peer(c, p, &in, bytes[0]));
        }
    }
    free(in.out);
    kernel_device_close(d);
}

int main(int argc, char **argv)
{
    const struct bench_case *c = cases, *end = cases + sizeof cases / sizeof cases[0];
    while (argc > 2 && c < end && strcmp(c->program, argv[2]))
        c++;
    if (argc < 5 || argc > 6 || c == end) {
        fprintf(stderr, "usage: bench-kernels DRIVER.so PROGRAM SIZE ROUNDS [SIMD]; PROGRAM one of");
        for (c = cases; c < end; c++)
            fprintf(stderr, " %s", c->program);
        fprintf(stderr, "\n");
        return 2;
    }
    unsigned long n = strtoul(argv[3], NULL, 10), rounds = strtoul(argv[4], NULL, 10);
    if (!n || n > c->size || !rounds || rounds > 1000) {
        fprintf(stderr, "bench-kernels: SIZE of %s is 1 to %u, ROUNDS 1 to 1000\n", c->program, c->size);
        return 2;
    }
    run(argv[1], c, (uint32_t)n, (uint32_t)rounds, argc > 5 ? argv[5] : "auto");
    return 0;
}
