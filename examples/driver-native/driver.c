/* The driver: discovery, open and close. The core enters at isle_driver_entry. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "demo.h"

#ifndef VERSION
#define VERSION "1.0.0"
#endif

uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
}

static const AccelBaseVTable base = {.vtable_size = sizeof base,
                                     .version = ISLE_KABI_VERSION,
                                     .get_info = get_info,
                                     .create_context = create_context,
                                     .destroy_context = destroy_context,
                                     .submit_commands = submit_commands,
                                     .poll_completion = poll_completion,
                                     .alloc_device_memory = alloc_device_memory,
                                     .free_device_memory = free_device_memory,
                                     .map_device_memory = map_device_memory,
                                     .get_utilization = get_utilization,
                                     .get_power_state = get_power_state,
                                     .reset_context = reset_context,
                                     .reset_device = reset_device};

static const isle_setting settings[] = {
    {.key = "memory_bytes", .type = ISLE_SETTING_BYTES, .min = 1 << 20, .max = 1ll << 36, .default_value = "67108864", .help = "device memory"},
    {.key = "max_contexts", .type = ISLE_SETTING_INT, .min = 1, .max = MAX_CONTEXTS, .default_value = "16", .help = "contexts at a time"},
};

static IoResultCode driver_init(void **out)
{
    *out = NULL;
    return 0;
}

/* DEVICE: look for the hardware here, without changing its state. */
static IoResultCode driver_probe(void *driver, uint32_t index, isle_device_seed *out)
{
    (void)driver;
    if (index)
        return -ENOENT;
    *out = (isle_device_seed){.name = "demo", .summary = "a thread that counts bytes"};
    return 0;
}

static IoResultCode device_open(void *driver, const isle_device_seed *seed, const isle_setting_value *values, uint32_t count,
                                const isle_core *core, void **out)
{
    struct device *d = calloc(1, sizeof *d);
    (void)driver, (void)seed;
    if (!d)
        return -ENOMEM;
    d->core = core;
    d->memory_bytes = 64 << 20;
    d->max_contexts = 16;
    for (uint32_t i = 0; i < count; i++) { /* the core has checked the values against `settings` */
        if (!strcmp(values[i].key, "memory_bytes"))
            d->memory_bytes = strtoull(values[i].value, NULL, 10) / PAGE * PAGE;
        else if (!strcmp(values[i].key, "max_contexts"))
            d->max_contexts = (uint32_t)strtoul(values[i].value, NULL, 10);
    }
    d->reported_ns = now_ns();
    sem_init(&d->wake, 0, 0);
    int error = pthread_create(&d->worker, NULL, queue_worker, d);
    if (error) {
        sem_destroy(&d->wake);
        free(d);
        return -error;
    }
    *out = d;
    return 0;
}

static IoResultCode get_interface(void *device, uint32_t id, const void **out)
{
    (void)device;
    *out = id == ISLE_IFACE_ACCEL_BASE      ? (const void *)&base
           : id == ISLE_IFACE_PROGRAMS      ? (const void *)&programs_table
           : id == ISLE_IFACE_SHARED_MEMORY ? (const void *)&shared_memory_table
                                            : NULL;
    return *out ? 0 : -ENOENT;
}

static IoResultCode device_close(void *device)
{
    struct device *d = device;
    queue_cancel(d, 0, -ISLE_ECLOSED);
    atomic_store(&d->ending, true);
    sem_post(&d->wake);
    pthread_join(d->worker, NULL);
    memory_free_all(d, 0);
    sem_destroy(&d->wake);
    free(d);
    return 0;
}

static void driver_fini(void *driver)
{
    (void)driver;
}

const isle_driver *isle_driver_entry(uint32_t kabi)
{
    static const isle_driver driver = {.struct_size = sizeof driver,
                                       .kabi_version = ISLE_KABI_VERSION,
                                       .flags = ISLE_DRIVER_COMPLETES,
                                       .name = "demo",
                                       .version = VERSION,
                                       .settings = settings,
                                       .setting_count = sizeof settings / sizeof settings[0],
                                       .init = driver_init,
                                       .probe = driver_probe,
                                       .open = device_open,
                                       .get_interface = get_interface,
                                       .close = device_close,
                                       .fini = driver_fini};
    return kabi >> 16 == ISLE_KABI_MAJOR ? &driver : NULL;
}
