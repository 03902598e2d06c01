/* The operation that starts a kernel as host programs do. */
#ifndef ISLE_RT_LAUNCH_H
#define ISLE_RT_LAUNCH_H

#include "rt.h"

/* Whether every field is one that the ABI allows; `length` bytes of the envelope can be read. What the kernel takes, the driver checks. */
bool launch_ok(const isle_op_launch *l, uint32_t length, const isle_binding *bindings, uint32_t binding_count);

#endif
