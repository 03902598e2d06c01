#define _GNU_SOURCE
#include "settings.h"

#include <sched.h>

#include "../kit/kit.h"

#define CLASSES "gpu,gpu_compute,npu,tpu,fpga,dsp,media_processor,compute_storage,other"
#define SIMDS "auto,portable,avx2,avx512" /* in the order of SIMD_* */
#define PREEMPTIONS "none,command_buffer,draw_dispatch,instruction"

enum { CLASS, MEMORY, UNITS, CONTEXTS, COMMAND, PREEMPTION, FAULTS, THROTTLE, THERMAL, SIMD, IN_PROCESS, COUNT };
_Static_assert(COUNT == SOFT_SETTINGS, "display has room for so many");

const isle_setting soft_settings[SOFT_SETTINGS] = {
    [CLASS] = {.key = "class", .type = ISLE_SETTING_ENUM, .choices = CLASSES, .default_value = "gpu_compute", .help = "device class to report"},
    [MEMORY] = {.key = "memory_bytes", .type = ISLE_SETTING_BYTES, .min = 1 << 20, .max = (int64_t)64 << 30, .default_value = "67108864",
     .help = "device memory of all contexts together"},
    [UNITS] = {.key = "compute_units", .type = ISLE_SETTING_INT, .min = 0, .max = SOFT_MAX_UNITS, .default_value = "0",
     .help = "worker threads; 0: the number of CPUs less one, at least 1"},
    [CONTEXTS] = {.key = "max_contexts", .type = ISLE_SETTING_INT, .min = 1, .max = 1024, .default_value = "64", .help = "largest number of open contexts"},
    [COMMAND] = {.key = "max_cmd_buffer_size", .type = ISLE_SETTING_BYTES, .min = 256, .max = 1 << 20, .default_value = "65536",
     .help = "largest command envelope"},
    [PREEMPTION] = {.key = "preemption", .type = ISLE_SETTING_ENUM, .choices = PREEMPTIONS, .default_value = "instruction",
     .help = "points at which running work can be preempted: nowhere, after its submission, after a dispatch, anywhere"},
    [FAULTS] = {.key = "fault_injection", .type = ISLE_SETTING_BOOL, .default_value = "false", .help = "allow planned faults"},
    [THROTTLE] = {.key = "throttle_celsius", .type = ISLE_SETTING_INT, .min = 36, .max = 150, .default_value = "90",
     .help = "temperature of the model at which clocks are held down"},
    [THERMAL] = {.key = "thermal_ms", .type = ISLE_SETTING_INT, .min = 1, .max = 600000, .default_value = "5000",
     .help = "milliseconds in which the model's temperature moves two thirds of the way to a new load's"},
    [SIMD] = {.key = "simd", .type = ISLE_SETTING_ENUM, .choices = SIMDS, .default_value = "auto",
     .help = "vector unit of the programs convolve, matmul and reduce; auto: the widest of this CPU"},
    [IN_PROCESS] = {.key = "in_process", .type = ISLE_SETTING_BOOL, .default_value = "false",
     .help = "for tests: report that kernels run as code of the driver's process, so that isolation=auto means group"},
};

static uint32_t default_units(void)
{
    cpu_set_t set;
    int n = sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
    return n > 1 ? (n - 1 > (int)SOFT_MAX_UNITS ? SOFT_MAX_UNITS : (uint32_t)n - 1) : 1;
}

IoResultCode settings_parse(struct settings *s, const isle_setting_value *values, uint32_t count, const isle_core *core)
{
    struct kit_value v[SOFT_SETTINGS];
    IoResultCode rc = kit_settings(soft_settings, SOFT_SETTINGS, values, count, core, v);
    if (rc)
        return rc;
    *s = (struct settings){.device_class = v[CLASS].number == 8 ? ACCEL_CLASS_OTHER : (AccelDeviceClass)v[CLASS].number,
                           .memory_bytes = (uint64_t)v[MEMORY].number & ~(uint64_t)4095,
                           .compute_units = v[UNITS].number ? (uint32_t)v[UNITS].number : default_units(),
                           .max_contexts = (uint32_t)v[CONTEXTS].number,
                           .max_cmd_buffer_size = (uint32_t)v[COMMAND].number,
                           .preemption = (PreemptionGranularity)v[PREEMPTION].number,
                           .fault_injection = v[FAULTS].number,
                           .throttle_mc = (uint32_t)v[THROTTLE].number * 1000,
                           .thermal_ms = (uint32_t)v[THERMAL].number,
                           .simd = (int)v[SIMD].number,
                           .in_process = v[IN_PROCESS].number};
    return 0;
}
