/* Which HPU runs this. */
#ifndef PSPIN_RT_H
#define PSPIN_RT_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "isle_calls.h"
#include "spin_conf.h"

#define PAGE_SIZE 4096

static inline uint32_t rt_core_id(void)
{
    return isle_self() % NB_CORES;
}

static inline uint32_t rt_cluster_id(void)
{
    return isle_self() / NB_CORES;
}

#endif
