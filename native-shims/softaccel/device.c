/* The device itself: how it comes and goes, and what it offers. Drivers that are more than this one begin with it. */
#define _GNU_SOURCE
#include "device.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../kit/kit.h"
#include "context.h"
#include "faults.h"
#include "memory.h"
#include "migrate.h"
#include "pages.h"
#include "power.h"
#include "programs.h"
#include "progress.h"
#include "ready.h"
#include "stats.h"
#include "submit.h"
#include "worker.h"

static const AccelBaseVTable base = {
    .vtable_size = sizeof base,
    .version = ISLE_KABI_VERSION,
    .get_info = soft_get_info,
    .create_context = soft_create_context,
    .destroy_context = soft_destroy_context,
    .submit_commands = soft_submit,
    .poll_completion = soft_poll,
    .preempt_context = soft_preempt_context,
    .alloc_device_memory = soft_alloc,
    .free_device_memory = soft_free,
    .map_device_memory = soft_map,
    .migrate_pages = soft_migrate_pages,
    .get_utilization = soft_get_utilization,
    .get_power_state = soft_get_power_state,
    .set_performance_level = soft_set_performance_level,
    .reset_context = soft_reset_context,
    .reset_device = soft_reset_device,
};

static const AccelComputeVTable compute = {.vtable_size = sizeof compute,
                                           .version = ISLE_KABI_VERSION,
                                           .get_compute_caps = soft_get_compute_caps,
                                           .get_perf_counters = soft_get_perf_counters};

static const isle_shared_memory_vtable shared_memory = {
    .vtable_size = sizeof shared_memory, .version = ISLE_KABI_VERSION, .locate = soft_locate};

static void device_free(struct device *d)
{
    workers_stop(d);
    memory_free_owned(d, 0);
    for (uint32_t i = 0; d->contexts && i < d->settings.max_contexts; i++) {
        struct context *c = atomic_load(&d->contexts[i]);
        if (!c)
            continue;
        progress_drop(atomic_load(&c->progress));
        pthread_mutex_destroy(&c->lost_lock);
        free(c);
    }
    for (uint32_t i = 0; i < SOFT_MAX_MEMORIES / SOFT_CHUNK; i++)
        free(atomic_load(&d->memories[i]));
    for (int i = 0; i < SOFT_PRIORITIES; i++)
        free(d->ready[i].cells);
    free((void *)d->contexts);
    pthread_mutex_destroy(&d->lock);
    pthread_mutex_destroy(&d->fault_lock);
    pthread_mutex_destroy(&d->model_lock);
    free(d);
}

IoResultCode device_open(const struct settings *settings, const isle_core *core, size_t size, struct device **out)
{
    const struct kernels *kernels = kernels_select(settings->simd);
    if (!kernels) {
        kit_log(core, ISLE_LOG_ERROR, "setting simd: this CPU lacks the chosen vector unit; auto uses the widest unit of the CPU");
        return IO_NOT_SUPPORTED;
    }
    struct device *d = aligned_alloc(64, (size + 63) / 64 * 64);
    if (!d)
        return -ENOMEM;
    memset(d, 0, size);
    d->core = core;
    d->tells_starts = ISLE_CORE_HAS(core, started);
    d->settings = *settings;
    d->kernels = kernels;
    d->sha256 = sha256_select();
    d->sha256_pair = sha256_hardware_pair();
    pthread_mutex_init(&d->lock, NULL);
    pthread_mutex_init(&d->fault_lock, NULL);
    model_init(d);
    d->contexts = calloc(settings->max_contexts, sizeof *d->contexts);
    IoResultCode rc = d->contexts ? 0 : -ENOMEM;
    for (int i = 0; i < SOFT_PRIORITIES && !rc; i++)
        rc = ready_init(&d->ready[i], settings->max_contexts);
    if (!rc)
        rc = workers_start(d);
    if (rc) {
        device_free(d);
        return rc;
    }
    *out = d;
    return 0;
}

/* Built-in programs do what they are made for and nothing else; a test may have the device say otherwise. */
static const isle_execution_vtable in_process = {
    .vtable_size = sizeof in_process, .version = ISLE_KABI_VERSION, .flags = ISLE_EXECUTION_IN_PROCESS};

IoResultCode soft_get_interface(void *device, uint32_t interface_id, const void **out)
{
    const struct device *d = device;
    if (!out)
        return -EINVAL;
    *out = interface_id == ISLE_IFACE_ACCEL_BASE                                              ? (const void *)&base
           : interface_id == ISLE_IFACE_ACCEL_COMPUTE                                         ? (const void *)&compute
           : interface_id == ISLE_IFACE_PROGRAMS                                              ? (const void *)&soft_programs
           : interface_id == ISLE_IFACE_SHARED_MEMORY                                         ? (const void *)&shared_memory
           : interface_id == ISLE_IFACE_POWER                                                 ? (const void *)&soft_power
           : interface_id == ISLE_IFACE_HEALTH                                                ? (const void *)&soft_health
           : interface_id == ISLE_IFACE_PAGE_RETIREMENT                                       ? (const void *)&soft_page_retirement
           : interface_id == ISLE_IFACE_EXECUTION && d->settings.in_process                   ? (const void *)&in_process
           : interface_id == ISLE_IFACE_FAULT_INJECTION && d->settings.fault_injection ? (const void *)&soft_faults
                                                                                              : NULL;
    return *out ? 0 : -ENOENT;
}

IoResultCode soft_close(void *device)
{
    struct device *d = device;
    for (uint32_t i = 0; i < d->settings.max_contexts; i++) {
        struct context *c = atomic_load(&d->contexts[i]);
        if (c && atomic_load(&c->handle))
            context_cancel(d, c, -ISLE_ECLOSED);
    }
    device_free(d);
    return 0;
}
