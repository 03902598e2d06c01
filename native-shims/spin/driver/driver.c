#include <errno.h>
#include <stdlib.h>

#include "device.h"

static IoResultCode get_info(void *ctx, AccelDeviceInfo *out)
{
    const struct settings *s = &((struct device *)ctx)->settings;
    *out = (AccelDeviceInfo){.device_class = s->device_class,
                             .compute_units = ISLE_SPIN_HPUS,
                             .local_memory_bytes = s->memory_bytes,
                             .max_contexts = s->max_contexts,
                             .preemption_granularity = PREEMPTION_NONE,
                             .max_cmd_buffer_size = 4096,
                             .memory_types = ACCEL_MEMTYPE_LOCAL | ACCEL_MEMTYPE_CPU_VISIBLE | ACCEL_MEMTYPE_COHERENT};
    return 0;
}

/* Packets are its work, and they come by another way. */
static IoResultCode submit(void *ctx, AccelContextHandle context, const uint8_t *command, uint32_t length, const AccelFence *fences,
                           uint32_t fence_count, AccelSubmissionHandle *out)
{
    (void)ctx;
    (void)context;
    (void)command;
    (void)length;
    (void)fences;
    (void)fence_count;
    (void)out;
    return IO_NOT_SUPPORTED;
}

static IoResultCode poll(void *ctx, AccelSubmissionHandle submission, AccelCompletionStatus *out)
{
    (void)ctx;
    (void)submission;
    (void)out;
    return -ESTALE;
}

static IoResultCode get_utilization(void *ctx, AccelUtilization *out)
{
    const struct device *d = ctx;
    *out = (AccelUtilization){.memory_used_bytes = d->used, .memory_total_bytes = d->settings.memory_bytes, .clock_mhz = d->settings.hpu_mhz};
    for (uint32_t i = 0; i < SPIN_CONTEXTS; i++)
        out->active_contexts += d->contexts[i].handle != 0;
    return 0;
}

static IoResultCode get_power_state(void *ctx, AccelPowerState *out)
{
    *out = (AccelPowerState){.state = ACCEL_POWER_D0_ACTIVE, .clock_mhz = ((struct device *)ctx)->settings.hpu_mhz};
    return 0;
}

static const AccelBaseVTable base = {
    .vtable_size = sizeof base,
    .version = ISLE_KABI_VERSION,
    .get_info = get_info,
    .create_context = spin_create_context,
    .destroy_context = spin_destroy_context,
    .submit_commands = submit,
    .poll_completion = poll,
    .alloc_device_memory = spin_alloc,
    .free_device_memory = spin_free,
    .map_device_memory = spin_map,
    .get_utilization = get_utilization,
    .get_power_state = get_power_state,
    .reset_context = spin_reset_context,
    .reset_device = spin_reset_device,
};

static const isle_execution_vtable execution = {
    .vtable_size = sizeof execution, .version = ISLE_KABI_VERSION, .flags = ISLE_EXECUTION_IN_PROCESS};

static IoResultCode get_interface(void *device, uint32_t interface_id, const void **out)
{
    (void)device;
    *out = interface_id == ISLE_IFACE_ACCEL_BASE      ? (const void *)&base
           : interface_id == ISLE_IFACE_PROGRAMS      ? (const void *)&spin_programs
           : interface_id == ISLE_IFACE_SHARED_MEMORY ? (const void *)&spin_shared_memory
           : interface_id == ISLE_IFACE_EXECUTION     ? (const void *)&execution
           : interface_id == ISLE_IFACE_HPU           ? (const void *)&spin_hpu
                                                      : NULL;
    return *out ? 0 : -ENOENT;
}

static IoResultCode spin_init(void **out_driver)
{
    *out_driver = NULL;
    return 0;
}

/* There is one where there is such a processor. */
static IoResultCode spin_probe(void *driver, uint32_t index, isle_device_seed *out)
{
    (void)driver;
#if defined(__x86_64__)
    if (index)
        return -ENOENT;
    *out = (isle_device_seed){.name = "spin", .summary = "handlers of packets on this machine's CPUs"};
    return 0;
#else
    if (!index)
        *out = (isle_device_seed){.summary = "handlers run on x86-64 only"};
    return -ENOENT;
#endif
}

static IoResultCode spin_open(void *driver, const isle_device_seed *seed, const isle_setting_value *values, uint32_t value_count,
                              const isle_core *core, void **out_device)
{
    (void)driver;
    if (!seed || !core || !out_device || (value_count && !values))
        return -EINVAL;
    struct device *d = calloc(1, sizeof *d);
    if (!d)
        return -ENOMEM;
    d->core = core;
    IoResultCode rc = settings_parse(&d->settings, values, value_count, core);
    if (rc)
        free(d);
    else
        *out_device = d;
    return rc;
}

static IoResultCode spin_close(void *device)
{
    struct device *d = device;
    for (uint32_t i = 0; i < SPIN_CONTEXTS; i++)
        if (d->contexts[i].handle)
            spin_destroy_context(d, d->contexts[i].handle);
    free(d);
    return 0;
}

static void spin_fini(void *driver)
{
    (void)driver;
}

const isle_driver *isle_driver_entry(uint32_t kabi)
{
    static const isle_driver driver = {.struct_size = sizeof driver,
                                       .kabi_version = ISLE_KABI_VERSION,
                                       .flags = ISLE_DRIVER_COMPLETES,
                                       .name = "spin",
                                       .version = "0.1.0",
                                       .settings = spin_settings,
                                       .setting_count = SPIN_SETTINGS,
                                       .init = spin_init,
                                       .probe = spin_probe,
                                       .open = spin_open,
                                       .get_interface = get_interface,
                                       .close = spin_close,
                                       .fini = spin_fini};
    return kabi >> 16 == ISLE_KABI_MAJOR ? &driver : NULL;
}
