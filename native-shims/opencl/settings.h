/* What a device is told when it is opened. */
#ifndef ISLE_OPENCL_SETTINGS_H
#define ISLE_OPENCL_SETTINGS_H

#include "opencl.h"

extern const isle_setting opencl_settings[];
extern const uint32_t opencl_setting_count;
IoResultCode settings_parse(struct settings *s, const isle_setting_value *values, uint32_t count, const isle_core *core);

#endif
