#define _GNU_SOURCE
#include "soft.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#define CLASSES "gpu,gpu_compute,npu,tpu,fpga,dsp,media_processor,compute_storage,other"
#define SIMDS "auto,portable,avx2,avx512" /* in the order of SIMD_* */
#define PREEMPTIONS "none,command_buffer,draw_dispatch,instruction"

const isle_setting soft_settings[SOFT_SETTINGS] = {
    {.key = "class", .type = ISLE_SETTING_ENUM, .choices = CLASSES, .default_value = "gpu_compute", .help = "device class to report"},
    {.key = "memory_bytes", .type = ISLE_SETTING_BYTES, .min = 1 << 20, .max = (int64_t)64 << 30, .default_value = "67108864",
     .help = "device memory; all contexts together"},
    {.key = "compute_units", .type = ISLE_SETTING_INT, .min = 0, .max = SOFT_MAX_UNITS, .default_value = "0",
     .help = "worker threads; 0: one less than there are CPUs, at least 1"},
    {.key = "max_contexts", .type = ISLE_SETTING_INT, .min = 1, .max = 1024, .default_value = "64", .help = "contexts at one time"},
    {.key = "max_cmd_buffer_size", .type = ISLE_SETTING_BYTES, .min = 256, .max = 1 << 20, .default_value = "65536",
     .help = "largest command envelope"},
    {.key = "preemption", .type = ISLE_SETTING_ENUM, .choices = PREEMPTIONS, .default_value = "instruction",
     .help = "where running work can leave the engine: nowhere, after its submission, after a dispatch, anywhere"},
    {.key = "fault_injection", .type = ISLE_SETTING_BOOL, .default_value = "false", .help = "offer the fault injection interface"},
    {.key = "throttle_celsius", .type = ISLE_SETTING_INT, .min = 36, .max = 150, .default_value = "90",
     .help = "temperature of the model at which clocks are held down"},
    {.key = "thermal_ms", .type = ISLE_SETTING_INT, .min = 1, .max = 600000, .default_value = "5000",
     .help = "time in which the model gets two thirds of the way to a new temperature"},
    {.key = "simd", .type = ISLE_SETTING_ENUM, .choices = SIMDS, .default_value = "auto",
     .help = "vector unit that convolve, matmul and reduce use; auto: the widest that this CPU has"},
    {.key = "in_process", .type = ISLE_SETTING_BOOL, .default_value = "false",
     .help = "for tests: say that kernels run as code of the driver's process, so that isolation=auto means group"},
};

/* Digits and an optional binary unit: K, M, G with or without iB. */
static bool parse_number(const char *text, int64_t *out)
{
    char *end;
    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    long long v = strtoll(text, &end, 10);
    const char *units = "kmg";
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
        size_t len = end ? (size_t)(end - choices) : strlen(choices);
        if (len == n && !memcmp(choices, value, n))
            return i;
        choices = end ? end + 1 : NULL;
    }
    return -1;
}

static bool parse_value(const isle_setting *s, const char *text, int64_t *out)
{
    switch (s->type) {
    case ISLE_SETTING_ENUM:
        *out = choice(s->choices, text);
        return *out >= 0;
    case ISLE_SETTING_BOOL:
        *out = !strcmp(text, "true");
        return *out || !strcmp(text, "false");
    default:
        return parse_number(text, out) && *out >= s->min && *out <= s->max;
    }
}

static uint32_t default_units(void)
{
    cpu_set_t set;
    int n = sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
    return n > 1 ? (n - 1 > (int)SOFT_MAX_UNITS ? SOFT_MAX_UNITS : (uint32_t)n - 1) : 1;
}

IoResultCode settings_parse(struct settings *s, const isle_setting_value *values, uint32_t count, const isle_core *core)
{
    int64_t v[SOFT_SETTINGS];
    for (uint32_t i = 0; i < SOFT_SETTINGS; i++)
        parse_value(&soft_settings[i], soft_settings[i].default_value, &v[i]);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t i = 0;
        while (i < SOFT_SETTINGS && strcmp(soft_settings[i].key, values[k].key))
            i++;
        if (i == SOFT_SETTINGS || !values[k].value || !parse_value(&soft_settings[i], values[k].value, &v[i])) {
            soft_log(core, ISLE_LOG_ERROR, "setting %s=%s: %s", values[k].key, values[k].value ? values[k].value : "",
                     i == SOFT_SETTINGS ? "unknown key" : soft_settings[i].choices ? soft_settings[i].choices : "bad value");
            return -EINVAL;
        }
    }
    *s = (struct settings){.device_class = v[0] == 8 ? ACCEL_CLASS_OTHER : (AccelDeviceClass)v[0],
                           .memory_bytes = (uint64_t)v[1] & ~(uint64_t)4095,
                           .compute_units = v[2] ? (uint32_t)v[2] : default_units(),
                           .max_contexts = (uint32_t)v[3],
                           .max_cmd_buffer_size = (uint32_t)v[4],
                           .preemption = (PreemptionGranularity)v[5],
                           .fault_injection = v[6],
                           .throttle_mc = (uint32_t)v[7] * 1000,
                           .thermal_ms = (uint32_t)v[8],
                           .simd = (int)v[9],
                           .in_process = v[10]};
    return 0;
}
