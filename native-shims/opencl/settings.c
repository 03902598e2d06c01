#define _GNU_SOURCE
#include "settings.h"

#include <string.h>

#include "../kit/kit.h"

#define CLASSES "auto,gpu,gpu_compute,npu,tpu,fpga,dsp,media_processor,compute_storage,other"

enum { DEVICE, CLASS, MEMORY, UNITS, PART, CONTEXTS, COMMAND, PLACE, OPTIONS, CACHE_DIR, CACHE_BYTES, RESET_WAIT, FAULTS, COUNT };

const isle_setting opencl_settings[] = {
    [DEVICE] = {.key = "device", .type = ISLE_SETTING_STRING, .default_value = "",
                .help = "name of the OpenCL device, as device:info shows the name (seed); empty: the device that was found under this number"},
    [CLASS] = {.key = "class", .type = ISLE_SETTING_ENUM, .choices = CLASSES, .default_value = "auto",
               .help = "device class to report; auto: gpu_compute for GPUs, else other"},
    [MEMORY] = {.key = "memory_bytes", .type = ISLE_SETTING_BYTES, .min = 0, .max = (int64_t)1 << 50, .default_value = "0",
                .help = "most memory of all contexts together; 0: what the device has"},
    [UNITS] = {.key = "units", .type = ISLE_SETTING_INT, .min = 0, .max = 1 << 20, .default_value = "0",
               .help = "compute units of the sub-device to use; 0: the whole device"},
    [PART] = {.key = "part", .type = ISLE_SETTING_INT, .min = 0, .max = OPENCL_PARTS - 1, .default_value = "0",
              .help = "number of the sub-device among sub-devices of that many units, from 0"},
    [CONTEXTS] = {.key = "max_contexts", .type = ISLE_SETTING_INT, .min = 1, .max = OPENCL_CONTEXTS, .default_value = "64",
                  .help = "largest number of open contexts; each has a thread and an OpenCL context"},
    [COMMAND] = {.key = "max_cmd_buffer_size", .type = ISLE_SETTING_BYTES, .min = 256, .max = 1 << 20, .default_value = "65536",
                 .help = "largest command envelope"},
    [PLACE] = {.key = "memory", .type = ISLE_SETTING_ENUM, .choices = "auto,shared,staging,svm", .default_value = "auto",
               .help = "memory that the CPU sees: shared (the device's memory), staging (a copy around each submission), svm (such copies in shared virtual memory, to which kernels may keep pointers), auto (shared for CPUs, else staging)"},
    [OPTIONS] = {.key = "build_options", .type = ISLE_SETTING_STRING, .default_value = "",
                 .help = "options of the OpenCL compiler, 255 characters at most"},
    [CACHE_DIR] = {.key = "cache_dir", .type = ISLE_SETTING_STRING, .default_value = "",
                   .help = "folder for built programs; empty: the folder that the driver's process was given, if any"},
    [CACHE_BYTES] = {.key = "cache_bytes", .type = ISLE_SETTING_BYTES, .min = 0, .max = (int64_t)1 << 40, .default_value = "268435456",
                     .help = "most bytes of built programs on disk; 0: none are kept"},
    [RESET_WAIT] = {.key = "reset_wait_ms", .type = ISLE_SETTING_INT, .min = 1, .max = 4000, .default_value = "1000",
                    .help = "milliseconds that a reset waits for running kernels, which cannot be stopped, before the reset fails"},
    [FAULTS] = {.key = "fault_injection", .type = ISLE_SETTING_BOOL, .default_value = "false", .help = "allow planned crashes"},
};
const uint32_t opencl_setting_count = COUNT;

/* Copies a text that fits; false when it does not. */
static bool keep(char *to, size_t room, const struct kit_value *v)
{
    size_t n = strlen(v->text);
    if (n < room)
        memcpy(to, v->text, n + 1);
    return n < room;
}

IoResultCode settings_parse(struct settings *s, const isle_setting_value *values, uint32_t count, const isle_core *core)
{
    struct kit_value v[COUNT];
    memset(s, 0, sizeof *s);
    IoResultCode rc = kit_settings(opencl_settings, COUNT, values, count, core, v);
    if (rc)
        return rc;
    if (!keep(s->device, sizeof s->device, &v[DEVICE]))
        return kit_setting_wrong(core, "device", v[DEVICE].text, "63 bytes at most");
    if (!keep(s->build_options, sizeof s->build_options, &v[OPTIONS]))
        return kit_setting_wrong(core, "build_options", v[OPTIONS].text, "255 bytes at most");
    if (!keep(s->cache_dir, sizeof s->cache_dir, &v[CACHE_DIR]) || (*s->cache_dir && *s->cache_dir != '/'))
        return kit_setting_wrong(core, "cache_dir", v[CACHE_DIR].text, "an absolute path is needed");
    s->device_class = v[CLASS].number == 0 ? -1 : v[CLASS].number == 9 ? ACCEL_CLASS_OTHER : (int)v[CLASS].number - 1;
    s->memory_bytes = ((uint64_t)v[MEMORY].number + OPENCL_PAGE - 1) & ~(uint64_t)(OPENCL_PAGE - 1); /* never to 0, which is no limit */
    s->units = (uint32_t)v[UNITS].number;
    s->part = (uint32_t)v[PART].number;
    s->max_contexts = (uint32_t)v[CONTEXTS].number;
    s->max_cmd_buffer_size = (uint32_t)v[COMMAND].number;
    s->place = (uint32_t)v[PLACE].number;
    s->cache_bytes = (uint64_t)v[CACHE_BYTES].number;
    s->reset_wait_ms = (uint32_t)v[RESET_WAIT].number;
    s->fault_injection = v[FAULTS].number;
    return 0;
}
