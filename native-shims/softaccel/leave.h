/* Whether work must leave the engine, and sleep that ends when it must. */
#ifndef ISLE_SOFT_LEAVE_H
#define ISLE_SOFT_LEAVE_H

#include "work.h"

/* Whether a running kernel must stop now. */
bool exec_stopped(struct exec *x);
bool exec_told_to_leave(const struct exec *x, PreemptionGranularity least);
/* Whether it has said so, to whichever unit: parts of the last loop were left out. */
static inline bool exec_was_stopped(const struct exec *x)
{
    return atomic_load_explicit(&x->stop, memory_order_relaxed) != 0;
}
/* Sleeps for x->at.owed_ns, but not past a cancel of the context or, when it hears of it, a preemption; what is left stays owed. */
int exec_sleep(struct exec *x);

#endif
