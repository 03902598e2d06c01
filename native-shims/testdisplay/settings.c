/* The accelerator's settings and one more: what is plugged in where. */
#define _GNU_SOURCE
#include "display.h"

#include "../kit/kit.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#define SCREENS "displayport:vrr_1440p,hdmi:full_hd,-vga:svga"
#define HELP "connectors in order: hdmi, displayport, dvi, vga, edp or virtual, ':' and svga, xga, full_hd or vrr_1440p; '-' before it: unplugged"

isle_setting display_settings[DISPLAY_SETTINGS];

static void collect(void)
{
    memcpy(display_settings, soft_settings, sizeof soft_settings);
    for (uint32_t i = 0; i < SOFT_SETTINGS; i++)
        if (!strcmp(display_settings[i].key, "class"))
            display_settings[i].default_value = "gpu";
    display_settings[SOFT_SETTINGS] =
        (isle_setting){.key = "screens", .type = ISLE_SETTING_STRING, .max = 256, .default_value = SCREENS, .help = HELP};
}

void display_settings_collect(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, collect);
}

static int type_named(const char *name, size_t length)
{
    static const char *const types[] = {"hdmi", "displayport", "dvi", "vga", "edp", "virtual"};
    for (int i = 0; i < 6; i++)
        if (strlen(types[i]) == length && !memcmp(types[i], name, length))
            return i;
    return -1;
}

static bool parse_connector(const char *text, size_t length, struct connector *out)
{
    bool unplugged = length && *text == '-';
    const char *from = text + unplugged, *colon = memchr(text, ':', length);
    if (!colon)
        return false;
    int type = type_named(from, (size_t)(colon - from));
    const struct monitor *monitor = monitor_named(colon + 1, length - (size_t)(colon + 1 - text));
    if (type < 0 || !monitor)
        return false;
    *out = (struct connector){.type = (AccelConnectorType)type, .monitor = monitor, .connected = !unplugged};
    return true;
}

static bool parse_screens(const char *text, struct display *d)
{
    d->connector_count = 0;
    while (d->connector_count < DISPLAY_CONNECTORS) {
        const char *end = strchrnul(text, ',');
        if (!parse_connector(text, (size_t)(end - text), &d->connectors[d->connector_count++]))
            return false;
        if (!*end)
            return true;
        text = end + 1;
    }
    return false;
}

IoResultCode display_settings_parse(struct settings *soft, struct display *d, const isle_setting_value *values, uint32_t count,
                                    const isle_core *core)
{
    isle_setting_value rest[SOFT_SETTINGS + 1] = {{"class", "gpu"}};
    uint32_t n = 1;
    const char *screens = SCREENS;
    for (uint32_t i = 0; i < count; i++) {
        if (!strcmp(values[i].key, "screens"))
            screens = values[i].value ? values[i].value : "";
        else if (n <= SOFT_SETTINGS)
            rest[n++] = values[i];
        else
            return -EINVAL;
    }
    if (!parse_screens(screens, d)) {
        kit_log(core, ISLE_LOG_ERROR, "setting screens=%.100s: " HELP "; at most %u", screens, DISPLAY_CONNECTORS);
        return -EINVAL;
    }
    return settings_parse(soft, rest, n, core);
}
