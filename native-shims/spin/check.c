/* What can be attached. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "hpu.h"

#define MOST_BYTES (64u << 20)

int spin_refuse(char *why, const char *what, int code)
{
    snprintf(why, SPIN_WHY, "%s: %s", what, strerror(-code));
    return code;
}

static bool is_memory(const struct spin_memory *m, uint64_t least, uint64_t most)
{
    return m->size >= least && m->size <= most && m->size % ISLE_SPIN_PAGE == 0 && (!m->size || (uintptr_t)m->pointer % ISLE_SPIN_PAGE == 0) &&
           (!m->size || m->pointer);
}

int spin_check(const struct spin_attach *a, char *why)
{
    uint64_t rings = (sizeof(isle_spin_rings) + ISLE_SPIN_PAGE - 1) / ISLE_SPIN_PAGE * ISLE_SPIN_PAGE;
    if (!is_memory(&a->rings, rings, UINT64_MAX - ISLE_SPIN_PAGE))
        return spin_refuse(why, "memory of the rings", -EINVAL);
    if (!is_memory(&a->packets, ISLE_SPIN_PAGE, MOST_BYTES))
        return spin_refuse(why, "memory of the packets, 4 KiB to 64 MiB", -EINVAL);
    if (!is_memory(&a->handler, 0, MOST_BYTES))
        return spin_refuse(why, "handler memory, at most 64 MiB", -EINVAL);
    if (!is_memory(&a->scratchpads, ISLE_SPIN_PAGE, MOST_BYTES) || a->scratchpads.size % (ISLE_SPIN_CLUSTERS * ISLE_SPIN_QUEUES * 8))
        return spin_refuse(why, "memory of the scratchpads, 4 KiB to 64 MiB", -EINVAL);
    if (!is_memory(&a->host_data, ISLE_SPIN_PAGE, MOST_BYTES))
        return spin_refuse(why, "memory of __host_data, 4 KiB and more", -EINVAL);
    if (!is_memory(&a->host, 0, 1ull << 30))
        return spin_refuse(why, "host pages, at most 1 GiB", -EINVAL);
    if (!a->limits.handler_limit_us || a->limits.handler_limit_us > 10000000 || !a->limits.hpu_mhz || a->limits.hpu_mhz > 100000 ||
        a->limits.host_wait_ms > 3600000 || a->limits.hpu_spin_us > 1000000)
        return spin_refuse(why,
                      "limits: handler_limit_us 1 to 10000000, hpu_mhz 1 to 100000, host_wait_ms at most 3600000, hpu_spin_us at most 1000000",
                      -EINVAL);
    return 0;
}
