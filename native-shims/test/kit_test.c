/* What drivers check for themselves: values of settings, and frames of commands that no runtime has looked at. */
#include <errno.h>

#include "../kit/kit.h"
#include "harness.h"

static char said[512];

static void log_it(void *core, uint32_t level, const char *text)
{
    (void)core, (void)level;
    snprintf(said, sizeof said, "%s", text);
}

static const isle_core core = {.vtable_size = sizeof core, .log = log_it};

enum { NUMBER, BYTES, WAY, SWITCH, NAME, SETTINGS };
static const isle_setting settings[SETTINGS] = {
    [NUMBER] = {.key = "number", .type = ISLE_SETTING_INT, .min = 1, .max = 9000, .default_value = "7"},
    [BYTES] = {.key = "bytes", .type = ISLE_SETTING_BYTES, .max = INT64_MAX, .default_value = "2KiB"},
    [WAY] = {.key = "way", .type = ISLE_SETTING_ENUM, .choices = "on,onward,off", .default_value = "onward"},
    [SWITCH] = {.key = "switch", .type = ISLE_SETTING_BOOL, .default_value = "true"},
    [NAME] = {.key = "name", .type = ISLE_SETTING_STRING, .default_value = "none"},
};

static int set(const char *key, const char *value, struct kit_value *out)
{
    said[0] = 0;
    return kit_settings(settings, SETTINGS, &(isle_setting_value){key, value}, key ? 1 : 0, &core, out);
}

static void settings_have_defaults(void)
{
    struct kit_value v[SETTINGS];
    CHECK_EQ(0, set(NULL, NULL, v));
    CHECK(v[NUMBER].number == 7 && v[BYTES].number == 2048 && v[WAY].number == 1 && v[SWITCH].number == 1);
    CHECK(!strcmp(v[NAME].text, "none"));
}

static void values_are_of_their_type_and_range(void)
{
    static const struct {
        const char *key, *value;
        int64_t number; /* -1: refused */
    } cases[] = {
        {"number", "1", 1},       {"number", "9000", 9000},  {"number", "0", -1},      {"number", "9001", -1},
        {"number", "4k", -1},     {"number", "", -1},        {"number", " 1", -1},     {"number", "-1", -1},
        {"number", "0x1", -1},    {"number", "1.", -1},      {"bytes", "0", 0},        {"bytes", "3", 3},
        {"bytes", "3k", 3072},    {"bytes", "3KiB", 3072},   {"bytes", "1M", 1 << 20}, {"bytes", "2g", 2ll << 30},
        {"bytes", "5TiB", 5ll << 40}, {"bytes", "3p", -1},   {"bytes", "3KB", -1},     {"bytes", "3KiBs", -1},
        {"bytes", "9223372036854775807", INT64_MAX},         {"bytes", "9223372036854775808", -1},
        {"bytes", "8388607T", 8388607ll << 40},              {"bytes", "8388608T", -1},
        {"way", "on", 0},         {"way", "off", 2},         {"way", "o", -1},         {"way", "on,onward", -1},
        {"way", "", -1},          {"switch", "false", 0},    {"switch", "true", 1},    {"switch", "1", -1},
        {"numbe", "1", -1},       {"number", NULL, -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct kit_value v[SETTINGS];
        CHECK_EQ(cases[i].number < 0 ? -EINVAL : 0, set(cases[i].key, cases[i].value, v));
        for (uint32_t s = 0; s < SETTINGS && cases[i].number >= 0; s++)
            CHECK(strcmp(settings[s].key, cases[i].key) || v[s].number == cases[i].number);
        CHECK(cases[i].number >= 0 || strstr(said, cases[i].key));
    }
    struct kit_value v[SETTINGS];
    CHECK_EQ(0, set("name", "", v));
    CHECK(!*v[NAME].text);
    set("way", "up", v);
    CHECK(strstr(said, "on,onward,off"));
    set("color", "red", v);
    CHECK(strstr(said, "unknown key"));
}

static struct command command_of_two(void)
{
    struct command k;
    command_begin(&k);
    command_bind(&k, 1, 0, 64, ISLE_ACCESS_WRITE);
    command_fill(&k, 0, 0, 64, 1);
    command_fill(&k, 0, 0, 64, 2);
    ((isle_command *)(void *)k.bytes)->total_length = k.length;
    return k;
}

static void frames_of_commands_are_checked(void)
{
    struct kit_envelope e;
    struct command k = command_of_two();
    isle_command *h = (void *)k.bytes;
    CHECK_EQ(0, kit_envelope(k.bytes, k.length, k.length, &e));
    CHECK(e.command == h && (const uint8_t *)e.bindings == k.bytes + sizeof *h && kit_bindings(k.bytes) == e.bindings);
    CHECK_EQ(-EMSGSIZE, kit_envelope(k.bytes, k.length, k.length - 1, &e));
    CHECK_EQ(-EINVAL, kit_envelope(NULL, k.length, k.length, &e));
    CHECK_EQ(-EINVAL, kit_envelope(k.bytes + 4, k.length, k.length, &e));
    for (uint32_t cut = 0; cut < k.length; cut++) {
        h->total_length = cut;
        CHECK_EQ(-EINVAL, kit_envelope(k.bytes, cut, k.length, &e));
    }
    static const struct {
        uint32_t at, word;
    } wrong[] = {
        {offsetof(isle_command, magic), 1},
        {offsetof(isle_command, version), 2 | 64 << 16},
        {offsetof(isle_command, version), 1 | 56 << 16},
        {offsetof(isle_command, total_length), 8},
        {offsetof(isle_command, wait_count), UINT32_MAX},
        {offsetof(isle_command, wait_count), 1},
        {offsetof(isle_command, binding_count), UINT32_MAX},
        {offsetof(isle_command, op_count), 3},
        {offsetof(isle_command, op_count), UINT32_MAX},
        {sizeof(isle_command) + sizeof(isle_binding) + 4, 0}, /* lengths of the first operation */
        {sizeof(isle_command) + sizeof(isle_binding) + 4, 33},
        {sizeof(isle_command) + sizeof(isle_binding) + 4, 72},
        {sizeof(isle_command) + sizeof(isle_binding) + 4, UINT32_MAX & ~7u},
        {sizeof(isle_command) + sizeof(isle_binding) + 32, ISLE_OP_COPY}, /* codes of the second, which is a fill's 32 bytes */
        {sizeof(isle_command) + sizeof(isle_binding) + 36, 24},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        k = command_of_two();
        memcpy(k.bytes + wrong[i].at, &wrong[i].word, sizeof wrong[i].word);
        CHECK_EQ(-EINVAL, kit_envelope(k.bytes, k.length, k.length, &e));
    }
}

static const struct test tests[] = {TEST(settings_have_defaults), TEST(values_are_of_their_type_and_range),
                                    TEST(frames_of_commands_are_checked)};

int main(int argc, char **argv)
{
    return run_tests("kit", tests, sizeof tests / sizeof tests[0], argc, argv);
}
