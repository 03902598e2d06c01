/* Sorting. */
#ifndef ISLE_SOFT_SORT_H
#define ISLE_SOFT_SORT_H

#include "call.h"
#include "work.h"

/* data, type */
int run_sort(struct exec *x, const struct call *c);

#endif
