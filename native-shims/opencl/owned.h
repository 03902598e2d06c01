/* What a context owns. */
#ifndef ISLE_OPENCL_OWNED_H
#define ISLE_OPENCL_OWNED_H

#include "opencl.h"

/* Frees every object of a context; nothing of it is in flight. */
void objects_free_owned(struct device *d, struct context *c);

#endif
