#define _GNU_SOURCE
#include "rt.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

void rt_violation(isle_rt *rt)
{
    __atomic_fetch_add(&rt->header->violations, 1, __ATOMIC_RELAXED);
}

int inflight_init(isle_rt *rt)
{
    rt->slots = aligned_alloc(64, sizeof(struct slot) * rt->max_inflight);
    rt->polled = calloc(rt->max_inflight, sizeof *rt->polled);
    if (!rt->slots || !rt->polled)
        return -ENOMEM;
    memset(rt->slots, 0, sizeof(struct slot) * rt->max_inflight);
    return 0;
}

int inflight_set_command_size(isle_rt *rt, uint32_t max_command)
{
    if (rt->big)
        munmap(rt->big, (size_t)rt->max_inflight * rt->max_command);
    rt->big = NULL;
    rt->max_command = max_command;
    if (!max_command)
        return 0;
    /* Touched only where a large command comes; so reserve addresses, not memory. */
    void *p = mmap(NULL, (size_t)rt->max_inflight * max_command, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        return -ENOMEM;
    rt->big = p;
    return 0;
}

void inflight_free(isle_rt *rt)
{
    inflight_set_command_size(rt, 0);
    free(rt->slots);
    free(rt->polled);
}

uint32_t inflight_fail(isle_rt *rt, uint64_t context, int32_t detail)
{
    uint32_t failed = 0;
    for (uint32_t i = 0; i < rt->max_inflight; i++) {
        struct slot *s = &rt->slots[i];
        uint64_t word = atomic_load_explicit(&s->word, memory_order_acquire);
        if (!(word & 1) || (context && atomic_load_explicit(&s->context, memory_order_relaxed) != context))
            continue;
        if (!atomic_compare_exchange_strong(&s->word, &word, word & ~(uint64_t)1))
            continue;
        uint64_t now = rt_now(rt);
        isle_completion c = {.tag = (word & ~(uint64_t)UINT32_MAX) | i,
                             .status = ACCEL_COMPLETION_ERROR,
                             .detail = detail,
                             .start_ns = now,
                             .end_ns = now};
        rt_publish(rt, &c);
        failed++;
    }
    return failed;
}
