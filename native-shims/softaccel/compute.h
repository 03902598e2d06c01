/*
 * Programs that compute: what a dispatch gave them, checked against their entries only. Each checks the rest itself, before it writes
 * anything: 0, or -EINVAL, -ENOMEM. What the CPU sees may change while they run, so whatever bounds an access is read once.
 */
#ifndef ISLE_SOFT_COMPUTE_H
#define ISLE_SOFT_COMPUTE_H

#include "work.h"

struct call {
    uint8_t *pointer[16]; /* of buffers */
    uint64_t length[16];
    uint32_t scalar[16];
};

/* matmul.c: a, b, c, m, n, k */
int run_matmul(struct exec *x, const struct call *c, const struct matmul *kernel);
/* convolve.c: src, weights, dst, width, height, channels, kernel width, kernel height [, divisor] */
int run_convolve_u8(struct exec *x, const struct call *c);
int run_convolve_f32(struct exec *x, const struct call *c);
/* reduce.c: src, dst, type, operation */
int run_reduce(struct exec *x, const struct call *c);
/* sort.c: data, type */
int run_sort(struct exec *x, const struct call *c);

/* Whether `count` elements of `bytes` each fit into a buffer argument, aligned to `bytes`. */
bool call_holds(const struct call *c, uint32_t arg, uint64_t count, uint32_t bytes);
/* Whether two buffer arguments share memory. */
bool call_overlaps(const struct call *c, uint32_t a, uint32_t b);

/* The types of `reduce` and `sort` are the kinds of arguments: ISLE_ARG_U32, I32, U64 or F32. 0 for any other. */
uint32_t type_bytes(uint32_t type);

#endif
