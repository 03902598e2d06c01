/* The runtime's side of what handlers call: the order is that of ISLE_SPIN_CALLS. */
#ifndef ISLE_SPIN_RUNTIME_CALLS_H
#define ISLE_SPIN_RUNTIME_CALLS_H

#include "include/isle_calls.h"

#define SPIN_CALL_NUMBER(name) SPIN_CALL_##name,
enum { ISLE_SPIN_CALLS(SPIN_CALL_NUMBER) SPIN_CALL_COUNT };

#endif
