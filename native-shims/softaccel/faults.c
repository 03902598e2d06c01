#define _GNU_SOURCE
#include "faults.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "leave.h"
#include "pages.h"
#include "power.h"

#define MOST_REPLAYS 1000000u /* of one submission; their count has 32 bits */

static IoResultCode inject(void *ctx, uint32_t kind, uint64_t after, uint64_t count, uint64_t value)
{
    struct device *d = ctx;
    IoResultCode rc = -ENOSPC;
    if (kind < ISLE_FAULT_LATENCY || kind > ISLE_FAULT_PCIE_REPLAY || !count || (kind == ISLE_FAULT_PCIE_REPLAY && value > MOST_REPLAYS))
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

int fault_meet(struct exec *x, const struct fault *f)
{
    struct device *d = x->device;
    switch (f->kind) {
    case ISLE_FAULT_LATENCY:
        x->at.owed_ns += f->value;
        return exec_sleep(x);
    case ISLE_FAULT_CONTEXT_ERROR:
        atomic_store(&x->context->faulted, true);
        atomic_store(&d->error_code, 13); /* the number that NVIDIA's drivers give to a graphics engine exception */
        return -EIO;
    case ISLE_FAULT_HANG:
        x->deaf = true;
        x->at.owed_ns = UINT64_MAX;
        return exec_sleep(x);
    case ISLE_FAULT_ECC_CORRECTABLE:
        atomic_fetch_add(&d->ecc_correctable, 1);
        return 0;
    case ISLE_FAULT_ECC_UNCORRECTABLE:
        return pages_poison(x, f->value);
    case ISLE_FAULT_THROTTLE:
        model_throttle(d, f->value);
        return 0;
    case ISLE_FAULT_PCIE_REPLAY:
        atomic_fetch_add(&d->pcie_replays, f->value ? (uint32_t)f->value : 1);
        return 0;
    case ISLE_FAULT_SEGV: {
        volatile uintptr_t nowhere = 8;
        *(volatile int *)nowhere = 0;
        return -EFAULT;
    }
    case ISLE_FAULT_ABORT:
        abort();
    case ISLE_FAULT_EXIT:
        _exit(3);
    default:
        return 0;
    }
}
