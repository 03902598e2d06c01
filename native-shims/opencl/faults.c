#define _GNU_SOURCE
#include "faults.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "errors.h"

/* One crash waits at a time: after it, nothing is left that could wait. */
static IoResultCode inject(void *ctx, uint32_t kind, uint64_t after, uint64_t count, uint64_t value)
{
    struct device *d = ctx;
    IoResultCode rc = 0;
    (void)value;
    if (kind < ISLE_FAULT_LATENCY || kind > ISLE_FAULT_HOTPLUG || !count)
        return -EINVAL;
    if (kind < ISLE_FAULT_SEGV || kind > ISLE_FAULT_EXIT)
        return IO_NOT_SUPPORTED;
    pthread_mutex_lock(&d->lock);
    if (atomic_load(&d->fault))
        rc = -ENOSPC;
    d->fault_after = rc ? d->fault_after : after;
    if (!rc)
        atomic_store(&d->fault, kind);
    pthread_mutex_unlock(&d->lock);
    return rc;
}

const isle_fault_injection_vtable opencl_faults = {
    .vtable_size = sizeof opencl_faults, .version = ISLE_KABI_VERSION, .inject = inject};

void faults_meet(struct device *d)
{
    uint32_t kind = atomic_load_explicit(&d->fault, memory_order_relaxed);
    if (!kind)
        return;
    pthread_mutex_lock(&d->lock);
    bool now = !d->fault_after;
    d->fault_after -= now ? 0 : 1;
    pthread_mutex_unlock(&d->lock);
    if (!now)
        return;
    if (kind == ISLE_FAULT_ABORT)
        abort();
    if (kind == ISLE_FAULT_EXIT)
        _exit(3);
    volatile uintptr_t nowhere = 8;
    *(volatile int *)nowhere = 0;
}
