/* What the drivers of this tree share. */
#ifndef ISLE_KIT_H
#define ISLE_KIT_H

#include <stdbool.h>
#include <stdint.h>

#include "isle_kabi.h"

void kit_log(const isle_core *core, uint32_t level, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Of a setting: its number (of an ENUM the index of its choice, of a BOOL 0 or 1), or its text if it is a STRING. */
struct kit_value {
    int64_t number;
    const char *text;
};

/*
 * Values or, where none is given, defaults for the settings, in their order; texts point to what was given. BYTES take a binary unit: K, M, G
 * or T, with or without iB. -EINVAL, with a line in the log, for an unknown key or a value out of its range; STRINGs have none here.
 */
IoResultCode kit_settings(const isle_setting *settings, uint32_t setting_count, const isle_setting_value *given, uint32_t given_count,
                          const isle_core *core, struct kit_value *out);
/* Says what is wrong with a setting; returns -EINVAL. */
IoResultCode kit_setting_wrong(const isle_core *core, const char *key, const char *value, const char *why);

/* The parts of a command whose frame has been checked: every operation lies in it, and is as long as the fields of its code. */
struct kit_envelope {
    const isle_command *command;
    const isle_binding *bindings;
};

/* -EMSGSIZE over `most` bytes, -EINVAL when the frame is malformed. Of bindings and operations nothing else is checked. */
IoResultCode kit_envelope(const uint8_t *command, uint32_t length, uint32_t most, struct kit_envelope *out);
/* The bindings of a command that has been checked. */
const isle_binding *kit_bindings(const uint8_t *command);

#endif
