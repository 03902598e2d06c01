/* What a submission names, held from its call to its end. */
#ifndef ISLE_OPENCL_BINDINGS_H
#define ISLE_OPENCL_BINDINGS_H

#include "opencl.h"

/* Counts the submission as a user of all that it binds, or of nothing when it may not have something of it. */
IoResultCode hold_bindings(struct device *d, const isle_binding *b, uint32_t count, AccelContextHandle context);
void release_bindings(struct device *d, const uint8_t *command);

#endif
