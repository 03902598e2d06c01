/* The operations of a submission. */
#ifndef ISLE_SOFT_OPS_H
#define ISLE_SOFT_OPS_H

#include "work.h"

int run_ops(struct exec *x);
/* Whether a submission is so short that reading the thread's CPU clock, a system call, would be a good part of it. */
bool is_light(const struct exec *x);

#endif
