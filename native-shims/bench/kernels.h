#ifndef ISLE_BENCH_KERNELS_H
#define ISLE_BENCH_KERNELS_H

#include <stdbool.h>
#include <stdint.h>

#include "isle_kabi.h"

#define KERNEL_BUFFERS 3
#define CHANNELS 3u /* of images: red, green, blue */
#define SIDE 5u     /* of the convolution's kernel, whose weights add up to DIVISOR */
#define DIVISOR 256

/* A device of one compute unit with one program and its buffers, called straight through the vtable. */
struct kernel_device;
struct kernel_device *kernel_device_open(const char *library, const char *program, const uint64_t *bytes, uint32_t buffers,
                                         const char *simd);
void *kernel_device_buffer(struct kernel_device *d, uint32_t buffer);
/* Wall time in ns of one call, from submission to completion. */
uint64_t kernel_device_call(struct kernel_device *d, const uint32_t *scalars, uint32_t count);
void kernel_device_close(struct kernel_device *d);

struct bench_case;

/* What a peer works on. */
struct inputs {
    const struct bench_case *c;
    uint32_t width, height; /* of matrices and images; of numbers in a row, their count and 1 */
    const void *in[KERNEL_BUFFERS - 1];
    void *out;
};

struct peer {
    const char *name;
    const char *(*open)(void); /* NULL, or what is missing and how to get it; no function: always there */
    /* On one thread, and only `call` is timed; the other two may be NULL. */
    void (*before)(const struct inputs *i);
    void (*call)(const struct inputs *i);
    void (*after)(const struct inputs *i); /* the result is in `out` then */
};

enum number { U8, U32, F32, F64 };

struct bench_case {
    const char *program;
    uint32_t most; /* SIZE */
    bool squared;  /* SIZE x SIZE elements, else SIZE */
    uint32_t buffers, scalar_count;
    uint32_t bytes[KERNEL_BUFFERS]; /* of an element; 0: the weights, or the one number that is the result */
    enum number in, out;
    double tolerance; /* by how much a peer's numbers may differ from ours */
    const struct peer *peers[2];
};

/* kernels_cases.c */
#define BENCH_CASES 6
extern const struct bench_case bench_cases[BENCH_CASES];
uint64_t case_bytes(const struct bench_case *c, uint32_t buffer, uint64_t elements);
void case_fill(const struct bench_case *c, uint32_t buffer, void *to, uint64_t bytes);
void case_scalars(const struct bench_case *c, uint32_t width, uint32_t height, uint32_t *scalars);

/* kernels_peers.c: loops as `cc -O2` makes them, and OpenBLAS */
extern const struct peer loop_matmul_f32, loop_matmul_i8, loop_convolve_u8, loop_convolve_f32, loop_reduce, qsort_u32;
extern const struct peer openblas_matmul_f32;

/* kernels_magick.c */
extern const struct peer magick_convolve_u8;
/* The pixels of an image file; ends the program when it cannot be read. */
uint8_t *magick_read(const char *file, uint32_t *width, uint32_t *height);

#endif
