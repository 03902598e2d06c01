/* Contexts that have work, and units that sleep until one has. */
#ifndef ISLE_SOFT_READY_H
#define ISLE_SOFT_READY_H

#include "soft.h"

int ready_init(struct ready *r, uint32_t capacity);
void ready_push(struct ready *r, uint32_t value);
bool ready_pop(struct ready *r, uint32_t *value);
/* Whether a context of that priority or a higher one has work that no unit has begun. */
bool ready_from(struct device *d, AccelPriority priority);
/* The caller has published work. */
void ready_wake(struct device *d);

#endif
