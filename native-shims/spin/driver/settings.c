#include "device.h"

#define CLASSES "auto,gpu,gpu_compute,npu,tpu,fpga,dsp,media_processor,compute_storage,other"

enum { CLASS, MEMORY, PROGRAM, CONTEXTS, MHZ, SPIN, LIMIT, WAIT, TRAPS, COUNT };

_Static_assert(COUNT == SPIN_SETTINGS, "as the header says");

const isle_setting spin_settings[SPIN_SETTINGS] = {
    [CLASS] = {.key = "class", .type = ISLE_SETTING_ENUM, .choices = CLASSES, .default_value = "auto",
               .help = "device class to report; auto: other"},
    [MEMORY] = {.key = "memory_bytes", .type = ISLE_SETTING_BYTES, .min = 1 << 20, .max = (int64_t)1 << 40, .default_value = "268435456",
                .help = "most memory of all contexts together"},
    [PROGRAM] = {.key = "program_bytes", .type = ISLE_SETTING_BYTES, .min = 32768, .max = 1 << 24, .default_value = "262144",
                 .help = "most memory of the code and the variables of a context's handlers"},
    [CONTEXTS] = {.key = "max_contexts", .type = ISLE_SETTING_INT, .min = 1, .max = SPIN_CONTEXTS, .default_value = "64",
                  .help = "largest number of open contexts; each has 17 threads while it is attached"},
    [MHZ] = {.key = "hpu_mhz", .type = ISLE_SETTING_INT, .min = 1, .max = 100000, .default_value = "40",
             .help = "frequency of the clock that handlers read with cycles()"},
    [SPIN] = {.key = "hpu_spin_us", .type = ISLE_SETTING_INT, .min = 0, .max = 1000000, .default_value = "0",
              .help = "microseconds that an idle HPU spins before it sleeps"},
    [LIMIT] = {.key = "handler_limit_us", .type = ISLE_SETTING_INT, .min = 1, .max = 10000000, .default_value = "5000",
               .help = "microseconds of CPU time after which a handler is ended; 20 times as much of any time ends it too"},
    [WAIT] = {.key = "host_wait_ms", .type = ISLE_SETTING_INT, .min = 0, .max = 3600000, .default_value = "1000",
              .help = "milliseconds that a handler may wait for the host"},
    [TRAPS] = {.key = "trap_limit", .type = ISLE_SETTING_INT, .min = 0, .max = INT32_MAX, .default_value = "16",
               .help = "traps in a row after which a context takes no tasks; 0: any number"},
};

IoResultCode settings_parse(struct settings *s, const isle_setting_value *values, uint32_t count, const isle_core *core)
{
    struct kit_value v[COUNT];
    IoResultCode rc = kit_settings(spin_settings, COUNT, values, count, core, v);
    if (rc)
        return rc;
    /* auto and other are the first and the last choice; those between have their numbers */
    *s = (struct settings){
        .device_class = v[CLASS].number == 0 || v[CLASS].number == 9 ? ACCEL_CLASS_OTHER : (AccelDeviceClass)(v[CLASS].number - 1),
        .memory_bytes = (uint64_t)v[MEMORY].number,
        .program_bytes = (uint64_t)v[PROGRAM].number,
        .max_contexts = (uint32_t)v[CONTEXTS].number,
        .hpu_mhz = (uint32_t)v[MHZ].number,
        .hpu_spin_us = (uint32_t)v[SPIN].number,
        .handler_limit_us = (uint32_t)v[LIMIT].number,
        .host_wait_ms = (uint32_t)v[WAIT].number,
        .trap_limit = (uint32_t)v[TRAPS].number};
    return 0;
}
