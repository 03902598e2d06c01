/* What the device says about itself; load, heat and clock are power.c's. */
#include "stats.h"

#include <errno.h>

#include "clock.h"
#include "handles.h"
#include "pages.h"
#include "power.h"

IoResultCode soft_get_info(void *ctx, AccelDeviceInfo *out)
{
    const struct device *d = ctx;
    if (!out)
        return -EINVAL;
    uint64_t memory = d->settings.memory_bytes;
    *out = (AccelDeviceInfo){
        .device_class = d->settings.device_class,
        .compute_units = d->settings.compute_units,
        .local_memory_bytes = memory,
        .max_contexts = d->settings.max_contexts,
        .preemption_granularity = d->settings.preemption,
        .max_cmd_buffer_size = d->settings.max_cmd_buffer_size,
        .memory_types = ACCEL_MEMTYPE_LOCAL | ACCEL_MEMTYPE_CPU_VISIBLE | ACCEL_MEMTYPE_COHERENT |
                        (memory >= 2u << 20 ? ACCEL_MEMTYPE_HUGE_2M : 0) | (memory >= 1u << 30 ? ACCEL_MEMTYPE_HUGE_1G : 0),
    };
    return 0;
}

IoResultCode soft_get_utilization(void *ctx, AccelUtilization *out)
{
    struct device *d = ctx;
    if (!out)
        return -EINVAL;
    model_step(d, soft_now());
    pthread_mutex_lock(&d->lock);
    uint64_t used = d->memory_used, total = pages_capacity(d);
    pthread_mutex_unlock(&d->lock);
    pthread_mutex_lock(&d->model_lock);
    *out = (AccelUtilization){.compute_percent = d->load_percent,
                              .memory_bw_percent = d->bandwidth_percent,
                              .memory_used_bytes = used,
                              .memory_total_bytes = total,
                              .active_contexts = d->active_contexts,
                              .temperature_mc = (uint32_t)d->temperature_mc,
                              .power_mw = model_power_mw(d),
                              .clock_mhz = model_clock_mhz(d)};
    pthread_mutex_unlock(&d->model_lock);
    return 0;
}

/* Derived: a unit is one CPU core at 3 GHz with the vector unit that the builtins use. */
IoResultCode soft_get_compute_caps(void *ctx, ComputeCapabilities *out)
{
    const struct device *d = ctx;
    if (!out)
        return -EINVAL;
    *out = (ComputeCapabilities){.isa_version = 1,
                                 .max_workgroup_size = 1,
                                 .max_local_memory = 32u << 10,
                                 .shader_cores = d->settings.compute_units,
                                 .fp32_gflops = 3 * d->kernels->flops * d->settings.compute_units};
    return 0;
}

static uint64_t read_counter(_Atomic uint64_t *c)
{
    return atomic_load_explicit(c, memory_order_relaxed);
}

/* How long the context has had nothing queued and nothing running, up to now. */
static uint64_t idle_ns(struct context *c)
{
    uint64_t before, idle, since, now;
    do {
        before = atomic_load(&c->idle_ns);
        now = soft_now();
        since = atomic_load(&c->scheduled) ? now : atomic_load(&c->idle_since_ns);
        idle = before + (now > since ? now - since : 0);
    } while (atomic_load(&c->idle_ns) != before);
    return idle;
}

/*
 * vendor_counters: 0 submissions that succeeded, 1 failed, 2 ran out of time, 3 were preempted, 4 CPU time of the workers (ns),
 * 5 sha256 blocks, 6 most memory held (bytes), 7 time without work (ns). Cycles are execution time by the modelled clock.
 */
IoResultCode soft_get_perf_counters(void *ctx, AccelContextHandle context, AccelPerfCounters *out)
{
    struct device *d = ctx;
    struct context *c = context_of(d, context);
    if (!c)
        return -ESTALE;
    if (!out)
        return -EINVAL;
    struct counters *n = &c->counters;
    uint64_t ns = read_counter(&n->execution_ns);
    pthread_mutex_lock(&d->model_lock);
    uint32_t clock = model_clock_mhz(d);
    pthread_mutex_unlock(&d->model_lock);
    *out = (AccelPerfCounters){.cycles_executed = ns / 1000 * clock,
                               .bytes_read = read_counter(&n->bytes_read),
                               .bytes_written = read_counter(&n->bytes_written),
                               .kernel_count = read_counter(&n->kernels),
                               .page_faults = read_counter(&n->page_faults),
                               .execution_ns = ns,
                               .vendor_counters = {read_counter(&n->completed), read_counter(&n->errors), read_counter(&n->timeouts),
                                                   read_counter(&n->preempted), read_counter(&n->cpu_ns), read_counter(&n->blocks),
                                                   c->memory_peak, idle_ns(c)}};
    return 0;
}
