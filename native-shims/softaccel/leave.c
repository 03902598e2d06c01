#define _GNU_SOURCE
#include "leave.h"

#include <time.h>

#include "clock.h"

#define NAP_NS 100000u       /* slept between two looks at whether the work must leave */
#define DEAF_NAP_NS 1000000u /* and when only a reset can have it off */

bool exec_told_to_leave(const struct exec *x, PreemptionGranularity least)
{
    return !x->deaf && x->device->settings.preemption >= least && atomic_load(&x->context->leave) >> 2 == x->position + 1;
}

bool exec_stopped(struct exec *x)
{
    if (exec_was_stopped(x))
        return true;
    int why = 0;
    if (x->position < atomic_load(&x->context->cancel_upto))
        why = atomic_load(&x->context->cancel_code);
    else if (exec_told_to_leave(x, PREEMPTION_INSTRUCTION))
        why = SOFT_LEFT;
    if (why)
        atomic_store_explicit(&x->stop, why, memory_order_relaxed);
    return why != 0;
}

int exec_sleep(struct exec *x)
{
    uint64_t *owed = &x->at.owed_ns, last = soft_now(), nap = x->deaf ? DEAF_NAP_NS : NAP_NS;
    while (*owed && !exec_stopped(x)) {
        nanosleep(&(struct timespec){.tv_nsec = (long)(*owed < nap ? *owed : nap)}, NULL);
        uint64_t now = soft_now();
        *owed -= now - last < *owed ? now - last : *owed;
        last = now;
    }
    return atomic_load(&x->stop);
}
