/* What the device says about itself. OpenCL tells neither temperature nor power. */
#include "stats.h"

#include <errno.h>

#include "clock.h"
#include "handles.h"

static AccelDeviceClass class_of(const struct device *d)
{
    if (d->settings.device_class >= 0)
        return (AccelDeviceClass)d->settings.device_class;
    return d->facts.type & CL_DEVICE_TYPE_GPU ? ACCEL_CLASS_GPU_COMPUTE : ACCEL_CLASS_OTHER;
}

IoResultCode opencl_get_info(void *ctx, AccelDeviceInfo *out)
{
    const struct device *d = ctx;
    if (!out)
        return -EINVAL;
    *out = (AccelDeviceInfo){
        .device_class = class_of(d),
        .compute_units = d->facts.units,
        .local_memory_bytes = d->settings.memory_bytes,
        .max_contexts = d->settings.max_contexts,
        .preemption_granularity = PREEMPTION_NONE,
        .max_cmd_buffer_size = d->settings.max_cmd_buffer_size,
        .memory_types = ACCEL_MEMTYPE_LOCAL | ACCEL_MEMTYPE_CPU_VISIBLE | (d->coherent ? ACCEL_MEMTYPE_COHERENT : 0),
        .unified_addressing = d->svm,
    };
    return 0;
}

IoResultCode opencl_get_utilization(void *ctx, AccelUtilization *out)
{
    struct device *d = ctx;
    if (!out)
        return -EINVAL;
    uint64_t now = clock_now(), busy = atomic_load(&d->busy_ns);
    pthread_mutex_lock(&d->lock);
    uint64_t elapsed = now - d->sample_ns, worked = busy - d->sample_busy_ns;
    *out = (AccelUtilization){.compute_percent = !elapsed ? 0 : worked >= elapsed ? 100 : (uint32_t)(worked * 100 / elapsed),
                              .memory_used_bytes = d->memory_used,
                              .memory_total_bytes = d->settings.memory_bytes,
                              .active_contexts = d->active_contexts,
                              .clock_mhz = d->facts.clock_mhz};
    d->sample_ns = now;
    d->sample_busy_ns = busy;
    pthread_mutex_unlock(&d->lock);
    return 0;
}

IoResultCode opencl_get_power_state(void *ctx, AccelPowerState *out)
{
    const struct device *d = ctx;
    if (!out)
        return -EINVAL;
    *out = (AccelPowerState){.state = ACCEL_POWER_D0_ACTIVE, .perf_level = ACCEL_PERF_AUTO, .clock_mhz = d->facts.clock_mhz};
    return 0;
}

static uint32_t narrow(uint64_t v)
{
    return v > UINT32_MAX ? UINT32_MAX : (uint32_t)v;
}

/* Arithmetic is derived: a multiply-add in each lane of each unit and cycle. */
IoResultCode opencl_get_compute_caps(void *ctx, ComputeCapabilities *out)
{
    const struct device *d = ctx;
    if (!out)
        return -EINVAL;
    uint64_t lanes = (uint64_t)d->facts.units * (d->facts.float_width ? d->facts.float_width : 1);
    *out = (ComputeCapabilities){.isa_version = 1,
                                 .max_workgroup_size = narrow(d->facts.most_group),
                                 .max_local_memory = narrow(d->facts.local_bytes),
                                 .shader_cores = d->facts.units,
                                 .fp32_gflops = narrow(2 * lanes * d->facts.clock_mhz / 1000)};
    return 0;
}

/* vendor_counters: 0 submissions that succeeded, 1 that failed, 6 most memory held (bytes). Cycles are by the device's highest clock. */
IoResultCode opencl_get_perf_counters(void *ctx, AccelContextHandle context, AccelPerfCounters *out)
{
    struct device *d = ctx;
    struct context *c = context_of(d, context);
    if (!c)
        return -ESTALE;
    if (!out)
        return -EINVAL;
    uint64_t ns = atomic_load(&c->execution_ns);
    *out = (AccelPerfCounters){.cycles_executed = ns / 1000 * d->facts.clock_mhz,
                               .bytes_written = atomic_load(&c->bytes_moved),
                               .kernel_count = atomic_load(&c->kernels),
                               .execution_ns = ns,
                               .vendor_counters = {atomic_load(&c->completed), atomic_load(&c->errors), [6] = c->memory_peak}};
    return 0;
}
