#include "soft.h"

#include <errno.h>

static IoResultCode inject(void *ctx, uint32_t kind, uint64_t after, uint64_t count, uint64_t value)
{
    struct device *d = ctx;
    IoResultCode rc = -ENOSPC;
    if (kind < ISLE_FAULT_LATENCY || kind > ISLE_FAULT_PCIE_REPLAY || !count)
        return -EINVAL;
    pthread_mutex_lock(&d->fault_lock);
    for (uint32_t i = 0; i < sizeof d->faults / sizeof d->faults[0] && rc; i++) {
        if (d->faults[i].count)
            continue;
        d->faults[i] = (struct fault){kind, after, count, value};
        atomic_fetch_add(&d->faults_armed, 1);
        rc = 0;
    }
    pthread_mutex_unlock(&d->fault_lock);
    return rc;
}

const isle_fault_injection_vtable soft_faults = {
    .vtable_size = sizeof soft_faults, .version = ISLE_KABI_VERSION, .inject = inject};

struct fault faults_take(struct device *d)
{
    struct fault met = {0};
    pthread_mutex_lock(&d->fault_lock);
    for (uint32_t i = 0; i < sizeof d->faults / sizeof d->faults[0]; i++) {
        struct fault *f = &d->faults[i];
        if (!f->count)
            continue;
        if (f->after) {
            f->after--;
        } else if (!met.kind) {
            met = *f;
            if (!--f->count)
                atomic_fetch_sub(&d->faults_armed, 1);
        }
    }
    pthread_mutex_unlock(&d->fault_lock);
    return met;
}
