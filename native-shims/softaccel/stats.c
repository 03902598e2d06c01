/*
 * What the device says about itself. Load is measured: CPU time of the workers over wall time and units, between two reports at least
 * 10 ms apart. Temperature, power and clock are a model of that load, and stand for no sensor:
 *   temperature  35 C idle to 75 C at full load        power  2 W + 8 W a unit at full load, scaled by the clock
 *   clock        3000 MHz, 2000 balanced, 1000 low; automatic follows the load from 1000 to 3000
 *   bandwidth    bytes moved against 20 GB/s
 */
#include "soft.h"

#include <errno.h>
#include <string.h>

#define WINDOW_NS 10000000u
#define NOMINAL_BYTES_PER_S 20000000000.0

static void sample(struct device *d)
{
    uint64_t now = soft_now(), busy = 0, bytes = 0;
    if (now - d->sample_ns < WINDOW_NS)
        return;
    for (uint32_t i = 0; i < d->settings.compute_units; i++) {
        busy += atomic_load_explicit(&d->workers[i].busy_ns, memory_order_relaxed);
        bytes += atomic_load_explicit(&d->workers[i].bytes_moved, memory_order_relaxed);
    }
    double wall = (double)(now - d->sample_ns);
    double load = 100.0 * (double)(busy - d->sample_busy_ns) / (wall * d->settings.compute_units);
    double bandwidth = 100.0 * (double)(bytes - d->sample_bytes) * 1e9 / (wall * NOMINAL_BYTES_PER_S);
    d->load_percent = load > 100 ? 100 : (uint32_t)(load + 0.5);
    d->bandwidth_percent = bandwidth > 100 ? 100 : (uint32_t)(bandwidth + 0.5);
    d->sample_ns = now;
    d->sample_busy_ns = busy;
    d->sample_bytes = bytes;
}

uint32_t soft_clock_mhz(const struct device *d)
{
    switch (d->perf_level) {
    case ACCEL_PERF_LOW:
        return 1000;
    case ACCEL_PERF_BALANCED:
        return 2000;
    case ACCEL_PERF_HIGH:
        return 3000;
    default:
        return 1000 + 20 * d->load_percent;
    }
}

static uint32_t temperature_mc(const struct device *d)
{
    return 35000 + 400 * d->load_percent;
}

static uint32_t power_mw(const struct device *d)
{
    return 2000 + 8000 * d->settings.compute_units / 100 * d->load_percent / 3 * soft_clock_mhz(d) / 1000;
}

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
    sample(d);
    pthread_mutex_lock(&d->lock);
    uint64_t used = d->memory_used;
    pthread_mutex_unlock(&d->lock);
    *out = (AccelUtilization){.compute_percent = d->load_percent,
                              .memory_bw_percent = d->bandwidth_percent,
                              .memory_used_bytes = used,
                              .memory_total_bytes = d->settings.memory_bytes,
                              .active_contexts = d->active_contexts,
                              .temperature_mc = temperature_mc(d),
                              .power_mw = power_mw(d),
                              .clock_mhz = soft_clock_mhz(d)};
    return 0;
}

IoResultCode soft_get_power_state(void *ctx, AccelPowerState *out)
{
    struct device *d = ctx;
    if (!out)
        return -EINVAL;
    sample(d);
    *out = (AccelPowerState){.state = d->active_contexts ? ACCEL_POWER_D0_ACTIVE : ACCEL_POWER_D1_LOW_POWER,
                             .perf_level = d->perf_level,
                             .temperature_mc = temperature_mc(d),
                             .power_mw = power_mw(d),
                             .clock_mhz = soft_clock_mhz(d)};
    return 0;
}

IoResultCode soft_set_performance_level(void *ctx, AccelPerfLevel level)
{
    struct device *d = ctx;
    if (level > ACCEL_PERF_HIGH)
        return -EINVAL;
    d->perf_level = level;
    return 0;
}

/* Derived: a unit is one CPU core that the builtins use scalar or with 128-bit vectors; 16 flops a cycle at 3 GHz. */
IoResultCode soft_get_compute_caps(void *ctx, ComputeCapabilities *out)
{
    const struct device *d = ctx;
    if (!out)
        return -EINVAL;
    *out = (ComputeCapabilities){.isa_version = 1,
                                 .max_workgroup_size = 1,
                                 .max_local_memory = 32u << 10,
                                 .shader_cores = d->settings.compute_units,
                                 .fp32_gflops = 48 * d->settings.compute_units};
    return 0;
}

static uint64_t read_counter(_Atomic uint64_t *c)
{
    return atomic_load_explicit(c, memory_order_relaxed);
}

/*
 * vendor_counters: 0 submissions that succeeded, 1 failed, 2 ran out of time, 3 were preempted, 4 no-op kernels, 5 sha256 blocks,
 * 6 most memory held (bytes), 7 deepest queue (submissions). Cycles are execution time by the modelled clock.
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
    *out = (AccelPerfCounters){.cycles_executed = ns / 1000 * soft_clock_mhz(d),
                               .bytes_read = read_counter(&n->bytes_read),
                               .bytes_written = read_counter(&n->bytes_written),
                               .kernel_count = read_counter(&n->kernels),
                               .execution_ns = ns,
                               .vendor_counters = {read_counter(&n->completed), read_counter(&n->errors), read_counter(&n->timeouts),
                                                   read_counter(&n->preempted), read_counter(&n->noops), read_counter(&n->blocks),
                                                   c->memory_peak, read_counter(&n->peak_queue)}};
    return 0;
}
