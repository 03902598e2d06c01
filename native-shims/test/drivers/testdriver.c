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

struct held {
    uint64_t context, tag, submission;
    uint32_t status; /* poll: NOT_YET until it has a result */
};
#define NOT_YET 99u

static const isle_core *core;
static AccelCompletionCallback callback;
static struct held held[1024];
static uint32_t held_count;
static uint64_t next_handle = 100, next_submission = 1;
static int64_t last_code; /* what complete() returned last */

static bool is(const char *variant)
{
    const char *v = getenv("ISLE_TEST_DRIVER");
    return !strcmp(v ? v : "completes", variant);
}

static void end(const struct held *h, uint32_t status)
{
    if (callback) {
        callback(h->context, h->submission, status);
    } else if (core) {
        uint64_t now = core->now_ns(core->core);
        isle_completion c = {.tag = h->tag, .status = status, .start_ns = now, .end_ns = now};
        last_code = core->complete(core->core, &c);
    }
}

static IoResultCode get_info(void *ctx, AccelDeviceInfo *out)
{
    (void)ctx;
    *out = (AccelDeviceInfo){.compute_units = 1, .max_contexts = 4, .max_cmd_buffer_size = is("tiny-commands") ? 8 : 4096};
    return 0;
}

static IoResultCode create_context(void *ctx, uint32_t pid, AccelPriority priority, const AccelContextLimits *limits,
                                   AccelContextHandle *out)
{
    (void)ctx, (void)pid, (void)priority, (void)limits;
    *out = is("zero-handles") ? 0 : next_handle++;
    return 0;
}

static void end_all(uint64_t context)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < held_count; i++) {
        if ((context && held[i].context != context) || is("forgets"))
            held[kept++] = held[i];
        else if (is("poll"))
            continue; /* the core has to give up on it by itself */
        else
            end(&held[i], ACCEL_COMPLETION_ERROR);
    }
    held_count = is("forgets") ? 0 : kept;
}

static IoResultCode destroy_context(void *ctx, AccelContextHandle context)
{
    (void)ctx;
    end_all(context);
    return 0;
}

static uint32_t action_of(const uint8_t *command)
{
    const isle_command *h = (const void *)command;
    const uint8_t *op = command + sizeof *h + h->wait_count * sizeof(isle_wait) + h->binding_count * sizeof(isle_binding);
    uint32_t action = TEST_ACTION_COMPLETE;
    if (h->op_count && ((const isle_op *)(const void *)op)->code == ISLE_OP_VENDOR)
        memcpy(&action, op + sizeof(isle_op), sizeof action);
    return action;
}

static IoResultCode submit(void *ctx, AccelContextHandle context, const uint8_t *command, uint32_t length, const AccelFence *fences,
                           uint32_t fence_count, AccelSubmissionHandle *out)
{
    (void)ctx, (void)length, (void)fences, (void)fence_count;
    const isle_command *head = (const void *)command;
    struct held h = {.context = context, .tag = head->tag, .submission = next_submission++, .status = NOT_YET};
    *out = h.submission;
    switch (action_of(command)) {
    case TEST_ACTION_HOLD:
        held[held_count++] = h;
        return 0;
    case TEST_ACTION_TWICE:
        end(&h, ACCEL_COMPLETION_SUCCESS);
        break;
    case TEST_ACTION_REFUSE:
        return -EAGAIN;
    case TEST_ACTION_COMPLETE_AND_REFUSE:
        end(&h, ACCEL_COMPLETION_SUCCESS);
        return -EAGAIN;
    case TEST_ACTION_WRONG_TAG:
        h.tag ^= 1ull << 32;
        end(&h, ACCEL_COMPLETION_SUCCESS);
        h.tag ^= 1ull << 32;
        break;
    case TEST_ACTION_WRONG_STATUS:
        end(&h, 77);
        if (callback)
            return 0;
        break;
    case TEST_ACTION_RELEASE:
        end_all(context);
        for (uint32_t i = 0; i < held_count; i++)
            held[i].status = ACCEL_COMPLETION_SUCCESS;
        break;
    }
    if (is("poll")) {
        h.status = ACCEL_COMPLETION_SUCCESS;
        held[held_count++] = h;
    } else {
        end(&h, ACCEL_COMPLETION_SUCCESS);
    }
    return 0;
}

static IoResultCode poll(void *ctx, AccelSubmissionHandle submission, AccelCompletionStatus *out)
{
    (void)ctx;
    for (uint32_t i = 0; i < held_count; i++) {
        if (held[i].submission != submission)
            continue;
        if (held[i].status == NOT_YET)
            return -EINPROGRESS;
        *out = held[i].status;
        held[i] = held[--held_count];
        return 0;
    }
    return -ESTALE;
}

static IoResultCode alloc_memory(void *ctx, AccelContextHandle context, uint64_t size, uint64_t alignment, AccelPageSize page,
                                 AccelMemFlags flags, AccelMemHandle *out)
{
    (void)ctx, (void)context, (void)size, (void)alignment, (void)page, (void)flags;
    *out = is("zero-handles") ? 0 : next_handle++;
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
    callback = cb;
    return 0;
}

static IoResultCode caps(void *ctx, ComputeCapabilities *out)
{
    (void)ctx, (void)out;
    return 0;
}

static IoResultCode counters(void *ctx, AccelContextHandle context, AccelPerfCounters *out)
{
    (void)ctx, (void)context;
    out->vendor_counters[0] = (uint64_t)last_code;
    out->vendor_counters[1] = held_count;
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
                             .submit_commands = submit,
                             .poll_completion = poll,
                             .alloc_device_memory = alloc_memory,
                             .free_device_memory = free_memory,
                             .map_device_memory = map_memory,
                             .get_utilization = utilization,
                             .get_power_state = power,
                             .reset_context = destroy_context,
                             .reset_device = reset_device,
                             .register_completion_callback = is("callback") ? register_callback : NULL};
    compute = (AccelComputeVTable){
        .vtable_size = sizeof compute, .version = ISLE_KABI_VERSION, .get_compute_caps = caps, .get_perf_counters = counters};
    if (is("base-odd-size"))
        base.vtable_size = sizeof base - 1;
    if (is("base-truncated"))
        base.vtable_size = offsetof(AccelBaseVTable, reset_context);
    if (is("base-null-entry"))
        base.reset_device = NULL;
    if (is("base-wrong-major"))
        base.version = 2u << 16;
    if (is("compute-null-entry"))
        compute.get_compute_caps = NULL;
}

static IoResultCode init(void **out)
{
    *out = NULL;
    return is("init-fails") ? -ENXIO : 0;
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
    core = services;
    callback = NULL;
    held_count = 0;
    last_code = 0;
    tables();
    for (uint32_t i = 0; i < count; i++)
        core->log(core->core, ISLE_LOG_INFO, values[i].value);
    if (is("open-fails"))
        return -ENODEV;
    *out = &base;
    return 0;
}

static IoResultCode get_interface(void *device, uint32_t id, const void **out)
{
    (void)device;
    *out = id == ISLE_IFACE_ACCEL_BASE                                ? (const void *)&base
           : id == ISLE_IFACE_ACCEL_COMPUTE                           ? (const void *)&compute
           : id == ISLE_IFACE_SHARED_MEMORY && is("lies-about-place") ? (const void *)&lying
                                                                      : NULL;
    return *out && !is("base-absent") ? 0 : -ENOENT;
}

static IoResultCode close_device(void *device)
{
    (void)device;
    end_all(0);
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
                      .flags = is("callback") || is("poll") ? 0 : ISLE_DRIVER_COMPLETES,
                      .name = "testdriver",
                      .version = "1",
                      .init = init,
                      .probe = probe,
                      .open = open_device,
                      .get_interface = get_interface,
                      .close = close_device,
                      .fini = fini};
    if (is("wrong-major"))
        d.kabi_version = 2u << 16;
    if (is("newer-minor"))
        d.kabi_version = ISLE_KABI_VERSION + 5;
    if (is("odd-size"))
        d.struct_size = sizeof d - 4;
    if (is("null-open"))
        d.open = NULL;
    return is("refuses") ? NULL : &d;
}
