#ifndef ISLE_BENCH_KERNELS_H
#define ISLE_BENCH_KERNELS_H

#include <stdint.h>

#include "isle_kabi.h"

#define KERNEL_BUFFERS 3

/* A device of one compute unit with one program and its buffers, called straight through the vtable. */
struct kernel_device;
struct kernel_device *kernel_device_open(const char *library, const char *program, const uint64_t *bytes, uint32_t buffers,
                                         const char *simd);
void *kernel_device_buffer(struct kernel_device *d, uint32_t buffer);
/* Wall time in ns of one call, from submission to completion. */
uint64_t kernel_device_call(struct kernel_device *d, const uint32_t *scalars, uint32_t count);
void kernel_device_close(struct kernel_device *d);

/* What others do the same with, each on one thread: plain loops as they stand in a textbook, and OpenBLAS if it is installed. */
void plain_matmul_f32(float *c, const float *a, const float *b, uint32_t n);
void plain_matmul_i8(int32_t *c, const int8_t *a, const int8_t *b, uint32_t n);
void plain_convolve_u8(uint8_t *out, const uint8_t *in, uint32_t n, uint32_t channels, const int16_t *w, uint32_t side, int32_t divisor);
void plain_convolve_f32(float *out, const float *in, uint32_t n, uint32_t channels, const float *w, uint32_t side);
double plain_sum(const float *v, uint64_t n);
void plain_sort(uint32_t *v, uint64_t n);
/* 0, or why there is none. */
const char *openblas_open(void);
void openblas_matmul_f32(float *c, const float *a, const float *b, uint32_t n);

#endif
