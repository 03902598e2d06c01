/* The core has checked what it gives, but a driver is also opened by tests and tools. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kit.h"

static bool parse_number(const char *text, bool with_unit, int64_t *out)
{
    static const char units[] = "kmgt";
    char *end;
    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    long long v = strtoll(text, &end, 10);
    const char *unit = *end && with_unit ? strchr(units, *end | 0x20) : NULL;
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

/* Which of the comma-separated choices it is; -1: none. */
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

static bool parse_value(const isle_setting *s, const char *text, struct kit_value *out)
{
    out->text = text;
    switch (s->type) {
    case ISLE_SETTING_STRING:
        return true;
    case ISLE_SETTING_ENUM:
        return (out->number = choice(s->choices, text)) >= 0;
    case ISLE_SETTING_BOOL:
        return (out->number = choice("false,true", text)) >= 0;
    default:
        return parse_number(text, s->type == ISLE_SETTING_BYTES, &out->number) && out->number >= s->min && out->number <= s->max;
    }
}

IoResultCode kit_setting_wrong(const isle_core *core, const char *key, const char *value, const char *why)
{
    kit_log(core, ISLE_LOG_ERROR, "setting %.64s=%.128s: %.256s", key, value ? value : "", why);
    return -EINVAL;
}

IoResultCode kit_settings(const isle_setting *settings, uint32_t setting_count, const isle_setting_value *given, uint32_t given_count,
                          const isle_core *core, struct kit_value *out)
{
    for (uint32_t i = 0; i < setting_count; i++)
        parse_value(&settings[i], settings[i].default_value, &out[i]);
    for (uint32_t k = 0; k < given_count; k++) {
        uint32_t i = 0;
        while (i < setting_count && strcmp(settings[i].key, given[k].key))
            i++;
        if (i == setting_count)
            return kit_setting_wrong(core, given[k].key, given[k].value, "unknown key");
        if (!given[k].value || !parse_value(&settings[i], given[k].value, &out[i]))
            return kit_setting_wrong(core, given[k].key, given[k].value, settings[i].choices ? settings[i].choices : "bad value");
    }
    return 0;
}
