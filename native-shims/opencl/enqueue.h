/* Operations of a submission. */
#ifndef ISLE_OPENCL_ENQUEUE_H
#define ISLE_OPENCL_ENQUEUE_H

#include "opencl.h"

IoResultCode enqueue_op(struct issue *x, const isle_op *op);
IoResultCode enqueue_staging(struct issue *x, bool before);

#endif
