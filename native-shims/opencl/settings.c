#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "opencl.h"

#define CLASSES "auto,gpu,gpu_compute,npu,tpu,fpga,dsp,media_processor,compute_storage,other"

enum { DEVICE, CLASS, MEMORY, UNITS, PART, CONTEXTS, COMMAND, PLACE, OPTIONS, CACHE_DIR, CACHE_BYTES, RESET_WAIT, COUNT };

const isle_setting opencl_settings[] = {
    [DEVICE] = {.key = "device", .type = ISLE_SETTING_STRING, .default_value = "",
                .help = "name of the OpenCL device, as device:info shows it (seed); empty: the one that was found under this number"},
    [CLASS] = {.key = "class", .type = ISLE_SETTING_ENUM, .choices = CLASSES, .default_value = "auto",
               .help = "device class to report; auto: gpu_compute for GPUs, else other"},
    [MEMORY] = {.key = "memory_bytes", .type = ISLE_SETTING_BYTES, .min = 0, .max = (int64_t)1 << 50, .default_value = "0",
                .help = "most memory of all contexts together; 0: what the device has"},
    [UNITS] = {.key = "units", .type = ISLE_SETTING_INT, .min = 0, .max = 1 << 20, .default_value = "0",
               .help = "compute units of the part of the device that is used, a sub-device; 0: the whole device"},
    [PART] = {.key = "part", .type = ISLE_SETTING_INT, .min = 0, .max = OPENCL_PARTS - 1, .default_value = "0",
              .help = "which part of that many units, from 0"},
    [CONTEXTS] = {.key = "max_contexts", .type = ISLE_SETTING_INT, .min = 1, .max = OPENCL_CONTEXTS, .default_value = "64",
                  .help = "contexts at one time; each has a thread and an OpenCL context"},
    [COMMAND] = {.key = "max_cmd_buffer_size", .type = ISLE_SETTING_BYTES, .min = 256, .max = 1 << 20, .default_value = "65536",
                 .help = "largest command envelope"},
    [PLACE] = {.key = "memory", .type = ISLE_SETTING_ENUM, .choices = "auto,shared,staging,svm", .default_value = "auto",
               .help = "memory that the CPU sees: the device's own, or a copy around each submission; svm: such copies, in memory of which "
                       "kernels may keep pointers; auto: shared for CPUs, else staging"},
    [OPTIONS] = {.key = "build_options", .type = ISLE_SETTING_STRING, .default_value = "",
                 .help = "options of the OpenCL compiler, 255 characters at most"},
    [CACHE_DIR] = {.key = "cache_dir", .type = ISLE_SETTING_STRING, .default_value = "",
                   .help = "folder for built programs; empty: the one that the driver's process was given, if any"},
    [CACHE_BYTES] = {.key = "cache_bytes", .type = ISLE_SETTING_BYTES, .min = 0, .max = (int64_t)1 << 40, .default_value = "268435456",
                     .help = "most bytes of built programs on disk; 0: none are kept"},
    [RESET_WAIT] = {.key = "reset_wait_ms", .type = ISLE_SETTING_INT, .min = 1, .max = 4000, .default_value = "1000",
                    .help = "how long a reset waits for running kernels, which cannot be stopped, before it fails"},
};
const uint32_t opencl_setting_count = COUNT;

/* Digits and an optional binary unit: K, M, G, T with or without iB. */
static bool parse_number(const char *text, int64_t *out)
{
    char *end;
    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    long long v = strtoll(text, &end, 10);
    const char *units = "kmgt";
    const char *unit = *end ? strchr(units, *end | 0x20) : NULL;
    int shift = unit ? 10 * (int)(unit - units + 1) : 0;
    if (unit) {
        end++;
        if (end[0] == 'i' && end[1] == 'B')
            end += 2;
    }
    if (errno || *end || v > INT64_MAX >> shift)
        return false;
    *out = (int64_t)v << shift;
    return true;
}

static int choice(const char *choices, const char *value)
{
    size_t n = strlen(value);
    for (int i = 0; choices; i++) {
        const char *end = strchr(choices, ',');
        size_t length = end ? (size_t)(end - choices) : strlen(choices);
        if (length == n && !memcmp(choices, value, n))
            return i;
        choices = end ? end + 1 : NULL;
    }
    return -1;
}

static bool parse_text(struct settings *s, uint32_t which, const char *text)
{
    char *to = which == DEVICE ? s->device : which == OPTIONS ? s->build_options : s->cache_dir;
    size_t room = which == DEVICE ? sizeof s->device : which == OPTIONS ? sizeof s->build_options : sizeof s->cache_dir;
    size_t n = strlen(text);
    if (n >= room || (which == CACHE_DIR && n && *text != '/'))
        return false;
    memcpy(to, text, n + 1);
    return true;
}

static bool parse_value(struct settings *s, uint32_t which, const char *text, int64_t *out)
{
    const isle_setting *setting = &opencl_settings[which];
    if (setting->type == ISLE_SETTING_STRING)
        return parse_text(s, which, text);
    if (setting->type == ISLE_SETTING_ENUM)
        return (*out = choice(setting->choices, text)) >= 0;
    return parse_number(text, out) && *out >= setting->min && *out <= setting->max;
}

IoResultCode settings_parse(struct settings *s, const isle_setting_value *values, uint32_t count, const isle_core *core)
{
    int64_t v[COUNT] = {0};
    memset(s, 0, sizeof *s);
    for (uint32_t i = 0; i < COUNT; i++)
        parse_value(s, i, opencl_settings[i].default_value, &v[i]);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t i = 0;
        while (i < COUNT && strcmp(opencl_settings[i].key, values[k].key))
            i++;
        if (i == COUNT || !values[k].value || !parse_value(s, i, values[k].value, &v[i])) {
            opencl_log(core, ISLE_LOG_ERROR, "setting %.64s=%.128s: %s", values[k].key, values[k].value ? values[k].value : "",
                       i == COUNT                     ? "unknown key"
                       : opencl_settings[i].choices   ? opencl_settings[i].choices
                       : i == CACHE_DIR               ? "an absolute path is wanted"
                                                      : "bad value");
            return -EINVAL;
        }
    }
    s->device_class = v[CLASS] == 0 ? -1 : v[CLASS] == 9 ? ACCEL_CLASS_OTHER : (int)v[CLASS] - 1;
    s->memory_bytes = ((uint64_t)v[MEMORY] + OPENCL_PAGE - 1) & ~(uint64_t)(OPENCL_PAGE - 1); /* never to 0, which is no limit */
    s->units = (uint32_t)v[UNITS];
    s->part = (uint32_t)v[PART];
    s->max_contexts = (uint32_t)v[CONTEXTS];
    s->max_cmd_buffer_size = (uint32_t)v[COMMAND];
    s->place = (uint32_t)v[PLACE];
    s->cache_bytes = (uint64_t)v[CACHE_BYTES];
    s->reset_wait_ms = (uint32_t)v[RESET_WAIT];
    return 0;
}
