/*
 * A driver that does what a test says. ISLE_TEST_DRIVER (environment) chooses how it presents itself: "completes" (default), "callback",
 * "poll", or one of the broken ones below; a VENDOR op's first word says what becomes of the submission.
 */
#define _GNU_SOURCE
#include "testdriver.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint64_t next_handle = 100;

bool test_is(const char *variant)
{
    const char *v = getenv("ISLE_TEST_DRIVER");
    return !strcmp(v ? v : "completes", variant);
}

static IoResultCode get_info(void *ctx, AccelDeviceInfo *out)
{
    (void)ctx;
    *out = (AccelDeviceInfo){.compute_units = 1,
                             .max_contexts = 4,
                             .max_cmd_buffer_size = test_is("tiny-commands") ? 8 : 4096,
                             .unified_addressing = test_is("svm") || test_is("svm-fails")};
    return 0;
}

static IoResultCode create_context(void *ctx, uint32_t pid, AccelPriority priority, const AccelContextLimits *limits,
                                   AccelContextHandle *out)
{
    (void)ctx, (void)pid, (void)priority, (void)limits;
    *out = test_is("zero-handles") ? 0 : next_handle++;
    return 0;
}

static IoResultCode destroy_context(void *ctx, AccelContextHandle context)
{
    (void)ctx;
    test_work.destroyed++;
    test_end_all(context);
    return 0;
}

static IoResultCode alloc_memory(void *ctx, AccelContextHandle context, uint64_t size, uint64_t alignment, AccelPageSize page,
                                 AccelMemFlags flags, AccelMemHandle *out)
{
    (void)ctx, (void)context, (void)size, (void)alignment, (void)page, (void)flags;
    *out = test_is("zero-handles") ? 0 : next_handle++;
    return 0;
}

static IoResultCode free_memory(void *ctx, AccelMemHandle handle)
{
    (void)ctx;
    return handle % 2 ? 0 : -EBUSY;
}

static IoResultCode map_memory(void *ctx, AccelMemHandle handle, uint64_t offset, uint64_t size, uint64_t *out)
{
    (void)ctx, (void)handle, (void)offset, (void)size, (void)out;
    return IO_NOT_SUPPORTED;
}

static IoResultCode utilization(void *ctx, AccelUtilization *out)
{
    (void)ctx, (void)out;
    return 0;
}

static IoResultCode power(void *ctx, AccelPowerState *out)
{
    (void)ctx, (void)out;
    return 0;
}

static IoResultCode reset_device(void *ctx)
{
    return destroy_context(ctx, 0);
}

static IoResultCode register_callback(void *ctx, AccelContextHandle context, AccelCompletionCallback cb)
{
    (void)ctx, (void)context;
    test_work.callback = cb;
    return 0;
}

static IoResultCode caps(void *ctx, ComputeCapabilities *out)
{
    (void)ctx, (void)out;
    return 0;
}

static IoResultCode enable_svm(void *ctx, AccelContextHandle context, uint64_t process_page_table)
{
    (void)ctx;
    test_work.svm_count += context == next_handle - 1 && !process_page_table;
    return test_is("svm-fails") ? -ENOMEM : 0;
}

static IoResultCode counters(void *ctx, AccelContextHandle context, AccelPerfCounters *out)
{
    (void)ctx, (void)context;
    out->vendor_counters[0] = (uint64_t)test_work.last_code;
    out->vendor_counters[1] = test_work.held_count;
    out->vendor_counters[2] = test_work.svm_count;
    out->vendor_counters[3] = test_work.destroyed;
    return 0;
}

static IoResultCode locate(void *ctx, AccelMemHandle memory, isle_shared *out)
{
    (void)ctx, (void)memory;
    *out = (isle_shared){.segment = 16, .offset = UINT64_MAX - 100, .size = 1 << 20};
    return 0;
}

static AccelBaseVTable base;
static AccelComputeVTable compute;
static const isle_shared_memory_vtable lying = {.vtable_size = sizeof lying, .version = ISLE_KABI_VERSION, .locate = locate};

static void tables(void)
{
    base = (AccelBaseVTable){.vtable_size = sizeof base,
                             .version = ISLE_KABI_VERSION,
                             .get_info = get_info,
                             .create_context = create_context,
                             .destroy_context = destroy_context,
                             .submit_commands = test_submit,
                             .poll_completion = test_poll,
                             .alloc_device_memory = alloc_memory,
                             .free_device_memory = free_memory,
                             .map_device_memory = map_memory,
                             .get_utilization = utilization,
                             .get_power_state = power,
                             .reset_context = destroy_context,
                             .reset_device = reset_device,
                             .register_completion_callback = test_is("callback") ? register_callback : NULL};
    compute = (AccelComputeVTable){.vtable_size = sizeof compute,
                                   .version = ISLE_KABI_VERSION,
                                   .get_compute_caps = caps,
                                   .enable_svm = enable_svm,
                                   .get_perf_counters = counters};
    if (test_is("base-odd-size"))
        base.vtable_size = sizeof base - 1;
    if (test_is("base-truncated"))
        base.vtable_size = offsetof(AccelBaseVTable, reset_context);
    if (test_is("base-null-entry"))
        base.reset_device = NULL;
    if (test_is("base-wrong-major"))
        base.version = 2u << 16;
    if (test_is("compute-null-entry"))
        compute.get_compute_caps = NULL;
}

static IoResultCode init(void **out)
{
    *out = NULL;
    return test_is("init-fails") ? -ENXIO : 0;
}

static IoResultCode probe(void *driver, uint32_t index, isle_device_seed *out)
{
    (void)driver;
    if (index > 1)
        return -ENOENT;
    *out = (isle_device_seed){.name = "test"};
    return 0;
}

static IoResultCode open_device(void *driver, const isle_device_seed *seed, const isle_setting_value *values, uint32_t count,
                                const isle_core *services, void **out)
{
    (void)driver, (void)seed;
    test_work = (struct test_work){.core = services};
    tables();
    for (uint32_t i = 0; i < count; i++)
        services->log(services->core, ISLE_LOG_INFO, values[i].value);
    if (test_is("open-fails"))
        return -ENODEV;
    *out = &base;
    return 0;
}

static IoResultCode get_interface(void *device, uint32_t id, const void **out)
{
    (void)device;
    *out = id == ISLE_IFACE_ACCEL_BASE                                ? (const void *)&base
           : id == ISLE_IFACE_ACCEL_COMPUTE                           ? (const void *)&compute
           : id == ISLE_IFACE_SHARED_MEMORY && test_is("lies-about-place") ? (const void *)&lying
           : id == ISLE_IFACE_PROGRAMS                                ? test_programs_interface(id)
                                                                      : test_display_interface(id);
    return *out && !test_is("base-absent") ? 0 : -ENOENT;
}

static IoResultCode close_device(void *device)
{
    (void)device;
    test_end_all(0);
    return 0;
}

static void fini(void *driver)
{
    (void)driver;
}

const isle_driver *isle_driver_entry(uint32_t kabi)
{
    static isle_driver d;
    (void)kabi;
    d = (isle_driver){.struct_size = sizeof d,
                      .kabi_version = ISLE_KABI_VERSION,
                      .flags = test_is("callback") || test_is("poll") ? 0 : ISLE_DRIVER_COMPLETES,
                      .name = "testdriver",
                      .version = "1",
                      .init = init,
                      .probe = probe,
                      .open = open_device,
                      .get_interface = get_interface,
                      .close = close_device,
                      .fini = fini};
    if (test_is("wrong-major"))
        d.kabi_version = 2u << 16;
    if (test_is("newer-minor"))
        d.kabi_version = ISLE_KABI_VERSION + 5;
    if (test_is("odd-size"))
        d.struct_size = sizeof d - 4;
    if (test_is("null-open"))
        d.open = NULL;
    return test_is("refuses") ? NULL : &d;
}
