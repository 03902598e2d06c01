#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../kit/kit.h"
#include "clock.h"
#include "context.h"
#include "faults.h"
#include "finish.h"
#include "memory.h"
#include "objects.h"
#include "place.h"
#include "probe.h"
#include "programs.h"
#include "settings.h"
#include "stats.h"
#include "submit.h"

static const AccelBaseVTable base = {
    .vtable_size = sizeof base,
    .version = ISLE_KABI_VERSION,
    .get_info = opencl_get_info,
    .create_context = opencl_create_context,
    .destroy_context = opencl_destroy_context,
    .submit_commands = opencl_submit,
    .poll_completion = opencl_poll,
    .preempt_context = opencl_preempt_context,
    .alloc_device_memory = opencl_alloc,
    .free_device_memory = opencl_free,
    .map_device_memory = opencl_map,
    .get_utilization = opencl_get_utilization,
    .get_power_state = opencl_get_power_state,
    .reset_context = opencl_reset_context,
    .reset_device = opencl_reset_device,
};

/* Loads the libraries, which takes longest, and asks none of them for a device: so a standby opens its device soon. */
static IoResultCode opencl_init(void **out_driver)
{
    char why[256];
    cl_uint platforms = 0;
    *out_driver = NULL;
    probe_environment();
    const struct cl_api *cl = cl_load(why, sizeof why);
    if (cl)
        cl->GetPlatformIDs(0, NULL, &platforms);
    return 0; /* a machine without OpenCL has no devices, and probe says so */
}

static IoResultCode opencl_probe(void *driver, uint32_t index, isle_device_seed *out)
{
    struct found found[OPENCL_DEVICES];
    char why[256] = "";
    (void)driver;
    probe_environment();
    const struct cl_api *cl = index < OPENCL_DEVICES ? cl_load(why, sizeof why) : NULL;
    uint32_t count = cl ? probe_devices(cl, found, OPENCL_DEVICES) : 0;
    if (!count && !index)
        snprintf(out->summary, sizeof out->summary, "%.127s", cl ? "no OpenCL platform has a device" : why);
    if (index >= count)
        return -ENOENT;
    *out = found[index].seed;
    return 0;
}

static IoResultCode find(struct device *d, const isle_device_seed *seed)
{
    struct found found[OPENCL_DEVICES];
    char why[256] = "";
    probe_environment();
    d->cl = cl_load(why, sizeof why);
    uint32_t count = d->cl ? probe_devices(d->cl, found, OPENCL_DEVICES) : 0;
    const char *name = *d->settings.device ? d->settings.device : seed->name;
    for (uint32_t i = 0; i < count; i++) {
        if (strncmp(found[i].seed.name, name, sizeof seed->name))
            continue;
        d->platform = found[i].platform;
        d->id = found[i].device;
        return 0;
    }
    kit_log(d->core, ISLE_LOG_ERROR, "no OpenCL device %.64s: %s", name, d->cl ? "no OpenCL platform has this device" : why);
    return -ENODEV;
}

/* units=N, part=K: the device is the K-th part of N compute units, and no other. */
static IoResultCode take_part(struct device *d)
{
    const struct settings *s = &d->settings;
    cl_uint units = 0, count = 0, wanted = s->part + 1;
    cl_property counts[OPENCL_PARTS + 3] = {CL_DEVICE_PARTITION_BY_COUNTS};
    cl_device_id parts[OPENCL_PARTS];
    if (!s->units)
        return 0;
    d->cl->GetDeviceInfo(d->id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
    for (cl_uint i = 0; i < wanted; i++)
        counts[1 + i] = (cl_property)s->units;
    cl_int rc = CL_INVALID_OPERATION;
    if (d->cl->CreateSubDevices && d->cl->ReleaseDevice && s->units <= units / wanted)
        rc = d->cl->CreateSubDevices(d->id, counts, wanted, parts, &count);
    if (rc || count != wanted) {
        for (cl_uint i = 0; !rc && i < count && i < wanted; i++)
            d->cl->ReleaseDevice(parts[i]);
        kit_log(d->core, ISLE_LOG_ERROR, "units=%u, part=%u: the device has %u units and cannot be divided this way, OpenCL error %d",
                   s->units, s->part, units, rc);
        return IO_NOT_SUPPORTED;
    }
    for (cl_uint i = 0; i < s->part; i++)
        d->cl->ReleaseDevice(parts[i]);
    d->id = parts[s->part];
    d->part = true;
    return 0;
}

static IoResultCode take_facts(struct device *d)
{
    struct settings *s = &d->settings;
    const char *granted = getenv("ISLE_DRIVER_CACHE");
    probe_facts(d->cl, d->platform, d->id, &d->facts);
    if (!d->facts.memory_bytes || !d->facts.most_alloc || !d->facts.units) {
        kit_log(d->core, ISLE_LOG_ERROR, "%s does not report its properties", d->facts.name);
        return -EIO;
    }
    uint64_t has = d->facts.memory_bytes & ~(uint64_t)(OPENCL_PAGE - 1);
    if (!s->memory_bytes || s->memory_bytes > has)
        s->memory_bytes = has;
    if (!*s->cache_dir && granted && strlen(granted) < sizeof s->cache_dir)
        strcpy(s->cache_dir, granted);
    d->programs = opencl_programs;
    d->programs.kinds = 1u << ISLE_PROGRAM_BUILTIN | (d->facts.compiler ? 1u << ISLE_PROGRAM_OPENCL_C : 0) |
                        (d->facts.il ? 1u << ISLE_PROGRAM_SPIRV : 0);
    if (!d->facts.linker)
        d->programs.sources = NULL;
    return 0;
}

static void device_free(struct device *d)
{
    objects_free(d);
    for (uint32_t i = 0; d->contexts && i < d->settings.max_contexts; i++) {
        struct context *c = atomic_load(&d->contexts[i]);
        for (uint32_t k = 0; c && k < OPENCL_QUEUE; k++) {
            free(c->ring[k].events);
            free(c->ring[k].parts);
        }
        if (!c)
            continue;
        sem_destroy(&c->ready);
        free((void *)c->reachable);
        free(c->ring);
        free(c);
    }
    if (d->part)
        d->cl->ReleaseDevice(d->id);
    free((void *)d->contexts);
    pthread_mutex_destroy(&d->lock);
    free(d);
}

static IoResultCode opencl_open(void *driver, const isle_device_seed *seed, const isle_setting_value *values, uint32_t value_count,
                                const isle_core *core, void **out_device)
{
    (void)driver;
    if (!seed || !core || !out_device || (value_count && !values))
        return -EINVAL;
    struct device *d = calloc(1, sizeof *d);
    if (!d)
        return -ENOMEM;
    d->core = core;
    pthread_mutex_init(&d->lock, NULL);
    IoResultCode rc = settings_parse(&d->settings, values, value_count, core);
    if (!rc)
        rc = find(d, seed);
    if (!rc)
        rc = take_part(d);
    if (!rc)
        rc = take_facts(d);
    if (!rc)
        rc = place_decide(d);
    d->compute = (AccelComputeVTable){.vtable_size = sizeof d->compute,
                                      .version = ISLE_KABI_VERSION,
                                      .get_compute_caps = opencl_get_compute_caps,
                                      .enable_svm = d->svm ? opencl_enable_svm : NULL,
                                      .get_perf_counters = opencl_get_perf_counters};
    if (!rc && !(d->contexts = calloc(d->settings.max_contexts, sizeof *d->contexts)))
        rc = -ENOMEM;
    if (rc) {
        device_free(d);
        return rc;
    }
    d->sample_ns = clock_now();
    kit_log(core, ISLE_LOG_INFO, "%s (%s, %s): %u units, memory %s, programs %s", d->facts.name, d->facts.platform, d->facts.version,
               d->facts.units, d->coherent ? "shared" : d->svm ? "svm" : "staged", *d->settings.cache_dir ? "kept on disk" : "not kept");
    *out_device = d;
    return 0;
}

static const isle_execution_vtable in_process = {
    .vtable_size = sizeof in_process, .version = ISLE_KABI_VERSION, .flags = ISLE_EXECUTION_IN_PROCESS};

static IoResultCode opencl_get_interface(void *device, uint32_t interface_id, const void **out)
{
    const struct device *d = device;
    if (!out)
        return -EINVAL;
    *out = interface_id == ISLE_IFACE_ACCEL_BASE       ? (const void *)&base
           : interface_id == ISLE_IFACE_ACCEL_COMPUTE  ? (const void *)&d->compute
           : interface_id == ISLE_IFACE_PROGRAMS       ? (const void *)&d->programs
           : interface_id == ISLE_IFACE_SHARED_MEMORY  ? (const void *)&opencl_shared_memory
           : interface_id == ISLE_IFACE_FAULT_INJECTION && d->settings.fault_injection ? (const void *)&opencl_faults
           : interface_id == ISLE_IFACE_EXECUTION && d->facts.type & CL_DEVICE_TYPE_CPU ? (const void *)&in_process
                                                                                        : NULL;
    return *out ? 0 : -ENOENT;
}

static IoResultCode opencl_close(void *device)
{
    struct device *d = device;
    for (uint32_t i = 0; i < d->settings.max_contexts; i++) {
        struct context *c = atomic_load(&d->contexts[i]);
        if (c && atomic_load(&c->handle))
            context_end(d, c);
    }
    while (atomic_load(&callbacks_inside))
        sched_yield();
    device_free(d);
    return 0;
}

static void opencl_fini(void *driver)
{
    (void)driver;
}

const isle_driver *isle_driver_entry(uint32_t kabi)
{
    static isle_driver driver = {.struct_size = sizeof driver,
                                 .kabi_version = ISLE_KABI_VERSION,
                                 .flags = ISLE_DRIVER_COMPLETES,
                                 .name = "opencl",
                                 .version = "0.1.0",
                                 .settings = opencl_settings,
                                 .init = opencl_init,
                                 .probe = opencl_probe,
                                 .open = opencl_open,
                                 .get_interface = opencl_get_interface,
                                 .close = opencl_close,
                                 .fini = opencl_fini};
    driver.setting_count = opencl_setting_count;
    return kabi >> 16 == ISLE_KABI_MAJOR ? &driver : NULL;
}
