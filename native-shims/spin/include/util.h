/* Small helpers that handlers expect. */
#ifndef SPIN_UTIL_H
#define SPIN_UTIL_H

#include <stdio.h>

#include "isle_calls.h"
#include "spin_conf.h"

#define MIN(a, b) (((a) < (b)) ? (a) : (b))
#define MAX(a, b) (((a) > (b)) ? (a) : (b))
#define STRINGIFY(x) #x
#define DIV_CEIL(a, b) (((a) + (b) - 1) / (b))
/* of powers of two */
#define FAST_DIV(a, log2_b) ((a) >> (log2_b))
#define FAST_MOD(a, b) ((a) & ((b) - 1))
#define AND(a, b) ((a) & (b))

#ifdef CHECK_ASSERTS
#define ASSERT(condition) \
    ((condition) ? (void)0 : (printf("Assertion fail: " #condition " at " __FILE__ ":%d\n", __LINE__), (void)isle_exit(0)))
#else
#define ASSERT(condition)
#endif

#define SPIN_PRINTF(format, ...) printf("%s:%s:%d: " format, __FILE__, __FUNCTION__, __LINE__, ##__VA_ARGS__)
#ifdef LOG
#define DEBUG_PRINT(format, ...) SPIN_PRINTF(format, ##__VA_ARGS__)
#else
#define DEBUG_PRINT(...)
#endif

static inline unsigned user_core_id(void)
{
    return isle_self() % NB_CORES;
}

static inline unsigned user_cluster_id(void)
{
    return isle_self() / NB_CORES;
}

#endif
