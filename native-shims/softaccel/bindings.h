/* What a submission names, held from its call to its end. */
#ifndef ISLE_SOFT_BINDINGS_H
#define ISLE_SOFT_BINDINGS_H

#include "../kit/kit.h"
#include "work.h"

/* Counts the submission as a user of all that it binds, or of nothing when it may not have something of it. */
IoResultCode hold_bindings(struct device *d, const struct kit_envelope *e, AccelContextHandle context);
void release_bindings(struct device *d, const uint8_t *command);
/* NULL unless the binding allows all of `access`. */
uint8_t *binding_pointer(struct exec *x, uint32_t index, uint32_t access, uint64_t *length);

#endif
