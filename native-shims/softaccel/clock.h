/* Time, in ns. */
#ifndef ISLE_SOFT_CLOCK_H
#define ISLE_SOFT_CLOCK_H

#include <stdint.h>

/* CLOCK_MONOTONIC */
uint64_t soft_now(void);
/* Of the calling thread on a CPU. */
uint64_t thread_cpu_ns(void);

#endif
