#define _GNU_SOURCE
#include "clock.h"

#include <time.h>

static uint64_t clock_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t soft_now(void)
{
    return clock_of(CLOCK_MONOTONIC);
}

uint64_t thread_cpu_ns(void)
{
    return clock_of(CLOCK_THREAD_CPUTIME_ID);
}
