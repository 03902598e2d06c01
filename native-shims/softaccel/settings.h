/* What a device is told when it is opened. */
#ifndef ISLE_SOFT_SETTINGS_H
#define ISLE_SOFT_SETTINGS_H

#include "soft.h"

#define SOFT_SETTINGS 11
extern const isle_setting soft_settings[SOFT_SETTINGS];
IoResultCode settings_parse(struct settings *s, const isle_setting_value *values, uint32_t count, const isle_core *core);

#endif
