/* Convolutions of images. */
#ifndef ISLE_SOFT_CONVOLVE_H
#define ISLE_SOFT_CONVOLVE_H

#include "call.h"
#include "work.h"

/* src, weights, dst, width, height, channels, kernel width, kernel height [, divisor] */
int run_convolve_u8(struct exec *x, const struct call *c);
int run_convolve_f32(struct exec *x, const struct call *c);

#endif
