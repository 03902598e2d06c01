/* DEVICE: reports of the device about itself. */
#include "demo.h"

IoResultCode get_info(void *ctx, AccelDeviceInfo *out)
{
    const struct device *d = ctx;
    *out = (AccelDeviceInfo){.device_class = ACCEL_CLASS_GPU_COMPUTE,
                             .compute_units = 1,
                             .local_memory_bytes = d->memory_bytes,
                             .max_contexts = d->max_contexts,
                             .preemption_granularity = PREEMPTION_NONE,
                             .max_cmd_buffer_size = 65536,
                             .memory_types = ACCEL_MEMTYPE_LOCAL | ACCEL_MEMTYPE_CPU_VISIBLE | ACCEL_MEMTYPE_COHERENT};
    return 0;
}

/* The load since the previous call. */
IoResultCode get_utilization(void *ctx, AccelUtilization *out)
{
    struct device *d = ctx;
    uint64_t now = now_ns(), busy_now = atomic_load(&d->busy_ns);
    uint64_t passed = now - d->reported_ns, worked = busy_now - d->reported_busy_ns;
    *out = (AccelUtilization){.compute_percent = passed && worked < passed ? (uint32_t)(worked * 100 / passed) : worked ? 100 : 0,
                              .memory_used_bytes = d->memory_used,
                              .memory_total_bytes = d->memory_bytes,
                              .active_contexts = d->contexts_used};
    d->reported_ns = now;
    d->reported_busy_ns = busy_now;
    return 0;
}

IoResultCode get_power_state(void *ctx, AccelPowerState *out)
{
    (void)ctx;
    *out = (AccelPowerState){.state = ACCEL_POWER_D0_ACTIVE};
    return 0;
}
