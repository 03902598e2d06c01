#define _GNU_SOURCE
#include <linux/membarrier.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rt.h"

#define PATIENCE 1000 /* looks at a data call before it is taken for one that hangs, and costs less from then on */

void lane_init(isle_rt *rt)
{
    rt->fences = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) != 0;
}

void lane_quiesce(isle_rt *rt)
{
    if (rt->fences)
        __sync_synchronize();
    else
        syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
    uint64_t seen = atomic_load_explicit(&rt->lane, memory_order_acquire);
    for (uint32_t rounds = 0; (seen & 1) && atomic_load_explicit(&rt->lane, memory_order_acquire) == seen; rounds++)
        rounds < PATIENCE ? sched_yield() : usleep(100);
}
