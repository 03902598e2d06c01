/* One value of many. */
#ifndef ISLE_SOFT_REDUCE_H
#define ISLE_SOFT_REDUCE_H

#include "call.h"
#include "work.h"

/* src, dst, type, operation */
int run_reduce(struct exec *x, const struct call *c);

#endif
