#include "rt.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void rt_why(char *why, uint32_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (why && size)
        vsnprintf(why, size, format, args);
    va_end(args);
}

#define COUNT(names) (sizeof(names) / sizeof(names)[0])
#define ALL_BUT(count, absent) ((((uint64_t)1 << (count)) - 1) & ~(uint64_t)(absent))
#define SPEC(title, id, type, first, names, optional)                                                       \
    {                                                                                                       \
        .name = title, .interface_id = id, .size = sizeof(type), .first_entry = offsetof(type, first),      \
        .entry_count = COUNT(names), .required = ALL_BUT(COUNT(names), optional), .entries = names          \
    }

static const char *const base_entries[] = {
    "get_info",          "create_context",    "destroy_context", "submit_commands", "poll_completion",       "preempt_context",
    "alloc_device_memory", "free_device_memory", "map_device_memory", "migrate_pages", "get_utilization",    "get_power_state",
    "set_performance_level", "reset_context", "reset_device",    "register_completion_callback"};
static const char *const compute_entries[] = {"get_compute_caps", "enable_svm", "handle_device_fault", "get_perf_counters"};
static const char *const program_entries[] = {"load", "unload", "describe", "builtin", "build", "kernel", "sources"};
static const char *const shared_entries[] = {"locate", "import_shared"};
static const char *const fault_entries[] = {"inject"};
static const char *const power_entries[] = {"set_state"};
static const char *const health_entries[] = {"get_health"};
static const char *const retirement_entries[] = {"faulty", "retire", "retired"};
static const char *const display_entries[] = {"get_connectors", "get_modes",          "set_mode",  "create_framebuffer", "page_flip",
                                              "set_dpms_state", "get_hotplug_status", "read_edid", "set_cursor",         "set_vrr_enabled"};
static const char *const scanout_entries[] = {"status", "read"};
static const char *const hpu_entries[] = {"caps", "attach", "detach", "report"};

/* optional: preempt_context 5, migrate_pages 9, set_performance_level 12, register_completion_callback 15 */
const struct vtable_spec spec_base = SPEC("AccelBase", ISLE_IFACE_ACCEL_BASE, AccelBaseVTable, get_info, base_entries,
                                          1u << 5 | 1u << 9 | 1u << 12 | 1u << 15);
const struct vtable_spec spec_compute = SPEC("AccelCompute", ISLE_IFACE_ACCEL_COMPUTE, AccelComputeVTable, get_compute_caps,
                                             compute_entries, 1u << 1 | 1u << 2 | 1u << 3);
const struct vtable_spec spec_programs = SPEC("programs", ISLE_IFACE_PROGRAMS, isle_programs_vtable, load, program_entries,
                                              1u << 4 | 1u << 5 | 1u << 6);
const struct vtable_spec spec_shared_memory = SPEC("shared memory", ISLE_IFACE_SHARED_MEMORY, isle_shared_memory_vtable, locate,
                                                   shared_entries, 1u << 1);
const struct vtable_spec spec_fault_injection = SPEC("fault injection", ISLE_IFACE_FAULT_INJECTION, isle_fault_injection_vtable,
                                                     inject, fault_entries, 0);
const struct vtable_spec spec_power = SPEC("power", ISLE_IFACE_POWER, isle_power_vtable, set_state, power_entries, 0);
const struct vtable_spec spec_health = SPEC("health", ISLE_IFACE_HEALTH, isle_health_vtable, get_health, health_entries, 0);
const struct vtable_spec spec_page_retirement = SPEC("page retirement", ISLE_IFACE_PAGE_RETIREMENT, isle_page_retirement_vtable, faulty,
                                                     retirement_entries, 0);
const struct vtable_spec spec_display = SPEC("AccelDisplay", ISLE_IFACE_ACCEL_DISPLAY, AccelDisplayVTable, get_connectors,
                                             display_entries, 1u << 8 | 1u << 9);
const struct vtable_spec spec_scanout = SPEC("scanout", ISLE_IFACE_SCANOUT, isle_scanout_vtable, status, scanout_entries, 1u << 1);
const struct vtable_spec spec_hpu = SPEC("hpu", ISLE_IFACE_HPU, isle_hpu_vtable, caps, hpu_entries, 0);
const struct vtable_spec spec_execution = {.name = "execution", .interface_id = ISLE_IFACE_EXECUTION, .size = sizeof(isle_execution_vtable),
                                           .first_entry = sizeof(isle_execution_vtable)}; /* flags, no entries */

static bool version_ok(const char *what, uint32_t version, char *why, uint32_t why_size)
{
    if (version >> 16 == ISLE_KABI_MAJOR)
        return true; /* a newer minor only adds at the end */
    rt_why(why, why_size, "KABI_VERSION_MISMATCH: %s has version %u.%u, the core needs %u.x: rebuild the driver", what, version >> 16,
           version & 0xffff, ISLE_KABI_MAJOR);
    return false;
}

static bool size_ok(const char *what, const char *field, uint64_t size, uint64_t least, char *why, uint32_t why_size)
{
    if (size >= least && size <= RT_MAX_VTABLE && !(size & 7))
        return true;
    rt_why(why, why_size, "%s: %s %llu is wrong: a multiple of 8 from %llu to %u is needed", what, field, (unsigned long long)size,
           (unsigned long long)least, RT_MAX_VTABLE);
    return false;
}

static bool name_ok(const char *name)
{
    if (!name || *name < 'a' || *name > 'z')
        return false;
    size_t n = strnlen(name, 17);
    for (size_t i = 0; i < n; i++)
        if (!((name[i] >= 'a' && name[i] <= 'z') || (name[i] >= '0' && name[i] <= '9')))
            return false;
    return n <= 16;
}

static const char *missing_entry(const isle_driver *d)
{
    return !d->init              ? "init"
           : !d->probe           ? "probe"
           : !d->open            ? "open"
           : !d->get_interface   ? "get_interface"
           : !d->close           ? "close"
           : !d->fini            ? "fini"
                                 : NULL;
}

IoResultCode negotiate_driver(const isle_driver *d, char *why, uint32_t why_size)
{
    if (!d) {
        rt_why(why, why_size, "KABI_VERSION_MISMATCH: the driver refuses the core's KABI %u.%u", ISLE_KABI_MAJOR, ISLE_KABI_MINOR);
        return -ISLE_KABI_VERSION_MISMATCH;
    }
    /* The two first fields keep their place in every version, so the version may be read before the size is believed. */
    if (!version_ok("driver", d->kabi_version, why, why_size))
        return -ISLE_KABI_VERSION_MISMATCH;
    if (!size_ok("driver", "struct_size", d->struct_size, sizeof *d, why, why_size))
        return -EINVAL;
    const char *missing = missing_entry(d);
    if (missing) {
        rt_why(why, why_size, "driver: required entry %s is null", missing);
        return -EINVAL;
    }
    if (!name_ok(d->name)) {
        rt_why(why, why_size, "driver: name must match [a-z][a-z0-9]{0,15}");
        return -EINVAL;
    }
    if (!d->version || strnlen(d->version, 48) > 47) {
        rt_why(why, why_size, "driver: version must be a text of at most 47 bytes");
        return -EINVAL;
    }
    if (d->setting_count > RT_MAX_SETTINGS || (d->setting_count && !d->settings)) {
        rt_why(why, why_size, "driver: setting_count %u is wrong: at most %u, with settings", d->setting_count, RT_MAX_SETTINGS);
        return -EINVAL;
    }
    for (uint32_t i = 0; i < d->setting_count; i++) {
        if (!d->settings[i].key || !*d->settings[i].key || strnlen(d->settings[i].key, 64) > 63) {
            rt_why(why, why_size, "driver: key of setting %u must have 1 to 63 bytes", i);
            return -EINVAL;
        }
    }
    return 0;
}

IoResultCode negotiate_vtable(const struct vtable_spec *spec, const void *vtable, void *copy, isle_negotiated *out, char *why,
                              uint32_t why_size)
{
    memset(copy, 0, spec->size);
    if (!vtable || ((uintptr_t)vtable & 7)) {
        rt_why(why, why_size, "%s: vtable is null or not aligned to 8", spec->name);
        return -EINVAL;
    }
    uint64_t size;
    uint32_t version;
    memcpy(&size, vtable, sizeof size);
    memcpy(&version, (const uint8_t *)vtable + sizeof size, sizeof version);
    if (!version_ok(spec->name, version, why, why_size))
        return -ISLE_KABI_VERSION_MISMATCH;
    if (!size_ok(spec->name, "vtable_size", size, spec->first_entry, why, why_size))
        return -EINVAL;
    memcpy(copy, vtable, size < spec->size ? size : spec->size);

    *out = (isle_negotiated){.interface_id = spec->interface_id, .version = version, .vtable_size = size};
    for (uint32_t i = 0; i < spec->entry_count; i++) {
        uint64_t end = spec->first_entry + (i + 1) * sizeof(void *);
        void *entry;
        memcpy(&entry, (const uint8_t *)copy + end - sizeof entry, sizeof entry);
        if (entry) {
            out->entries |= (uint64_t)1 << i;
        } else if (spec->required >> i & 1) {
            if (end > size)
                rt_why(why, why_size, "%s: required entry %s lies beyond vtable_size %llu, at least %llu are needed", spec->name,
                       spec->entries[i], (unsigned long long)size, (unsigned long long)end);
            else
                rt_why(why, why_size, "%s: required entry %s is null", spec->name, spec->entries[i]);
            return -EINVAL;
        }
    }
    return 0;
}
