/* Connectors, modes and power states of the display in software. */
#include <errno.h>

#include "display_harness.h"

static void connectors_are_what_the_setting_says(void)
{
    CHECK_EQ(0, open_display(NULL));
    CHECK_EQ(0, core_call(&core, ISLE_OP_CONNECTORS, NULL, 0));
    CHECK_EQ(3 * sizeof(AccelConnectorInfo), core_body_length(&core));
    CHECK(connector(1).connector_type == ACCEL_CONNECTOR_DISPLAYPORT && connector(1).max_width == 2560 && connector(1).connected);
    CHECK(connector(3).connector_type == ACCEL_CONNECTOR_VGA && !connector(3).connected && !connector(3).active);
    CHECK(mode(2, 0).width == 1920 && mode(2, 0).refresh_millihz == 60000 && mode(2, 0).preferred && !mode(2, 1).preferred);
    CHECK_EQ(0, ask(ISLE_OP_MODES, 3));
    CHECK_EQ(0, core_body_length(&core));
    CHECK_EQ(-ENXIO, ask(ISLE_OP_EDID, 3));
    CHECK_EQ(0, ask(ISLE_OP_EDID, 1));
    CHECK_EQ(128, core_body_length(&core));
    const uint32_t ops[] = {ISLE_OP_MODES, ISLE_OP_EDID, ISLE_OP_HOTPLUG_STATUS, ISLE_OP_SCANOUT_STATUS};
    for (int i = 0; i < 4; i++) {
        CHECK_EQ(-ENOENT, ask(ops[i], 0));
        CHECK_EQ(-ENOENT, ask(ops[i], 4));
    }
    close_display();
    core_make(&core);
    CHECK_EQ(0, core_load(&core, "libtestdisplay.so"));
    const char *const bad[] = {"screens=", "screens=hdmi", "screens=hdmi:tv", "screens=scart:svga", "screens=hdmi:svga,", "screens=:",
                               "screens=edp:xga,edp:xga,edp:xga,edp:xga,edp:xga,edp:xga,edp:xga,edp:xga,edp:xga", "memory_bytes=1"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK_EQ(-EINVAL, core_open(&core, bad[i]));
    CHECK_EQ(0, core_open(&core, "screens=edp:xga,-virtual:svga\nclass=other\nmemory_bytes=32m"));
    CHECK_EQ(2 * sizeof(AccelConnectorInfo), (core_call(&core, ISLE_OP_CONNECTORS, NULL, 0), core_body_length(&core)));
    close_display();
}

static void only_modes_of_the_screen_are_set(void)
{
    CHECK_EQ(0, open_display("screens=hdmi:svga,-vga:xga"));
    AccelDisplayMode m = mode(1, 0);
    CHECK(!connector(1).active && status(1).next_ns == 0 && status(1).frames == 0);
    CHECK_EQ(0, set(1, &m));
    isle_scanout_status a = status(1), b = a;
    CHECK(connector(1).active && a.frames >= 1 && a.next_ns > a.frame_ns);
    while (b.frames < a.frames + 3) /* frames come by themselves */
        b = status(1);
    uint64_t passed = b.frame_ns - a.frame_ns, want = (b.frames - a.frames) * 16579200ull;
    CHECK(passed + 1 >= want && passed <= want + 1);
    m.clock_khz++;
    CHECK_EQ(-EINVAL, set(1, &m));
    m.clock_khz--, m.vbp++;
    CHECK_EQ(-EINVAL, set(1, &m));
    m.vbp--;
    CHECK_EQ(-ENXIO, set(2, &m));
    CHECK_EQ(-ENOENT, set(3, &m));
    close_display();
}

static void power_states_stop_frames(void)
{
    uint8_t *p;
    CHECK_EQ(0, open_display("screens=hdmi:svga"));
    AccelDisplayMode m = mode(1, 0);
    CHECK_EQ(0, frame(1, W, H, ISLE_FORMAT_XRGB8888, &p));
    memset(p, 0x7f, W * H * 4);
    CHECK_EQ(0, set(1, &m));
    shown(1, (uint64_t)flip(1, 1));
    CHECK_EQ(0x7f7f7f, pixel(1, 0, 0));
    for (uint32_t state = ACCEL_DPMS_STANDBY; state <= ACCEL_DPMS_OFF; state++) {
        CHECK_EQ(0, put(ISLE_OP_SET_DPMS, 1, state));
        isle_scanout_status s = status(1);
        CHECK(s.dpms == state && s.next_ns == 0 && s.mode.width == W && connector(1).active);
        CHECK_EQ(0, pixel(1, 0, 0));
        CHECK_EQ(s.frames, status(1).frames);
    }
    CHECK_EQ(0, put(ISLE_OP_SET_DPMS, 1, ACCEL_DPMS_ON));
    CHECK(status(1).next_ns && pixel(1, 0, 0) == 0x7f7f7f);
    close_display();
}

static void a_cable_that_is_pulled_out_takes_the_mode_along(void)
{
    uint8_t *p;
    CHECK_EQ(0, open_display("screens=hdmi:svga,-dvi:svga\nfault_injection=true"));
    AccelDisplayMode m = mode(1, 0);
    CHECK_EQ(0, frame(1, W, H, ISLE_FORMAT_XRGB8888, &p));
    CHECK_EQ(0, set(1, &m));
    CHECK_EQ(1, flip(1, 1));
    CHECK_EQ(0, hotplug(1, 0, 1));
    isle_scanout_status s = status(1);
    CHECK(!s.connected && s.hotplugs == 1 && s.point == 1 && !s.pending && s.mode.width == 0 && s.next_ns == 0);
    CHECK(!connector(1).connected && !connector(1).active);
    CHECK_EQ(-ENXIO, flip(1, 1));
    CHECK_EQ(-ENXIO, put(ISLE_OP_SET_DPMS, 1, 0));
    isle_scanout_request lines = {.connector = 1, .line_count = 1};
    CHECK_EQ(-ENXIO, core_call(&core, ISLE_OP_SCANOUT_READ, &lines, sizeof lines));
    CHECK_EQ(0, hotplug(1, 0, 1));
    CHECK(status(1).connected && status(1).hotplugs == 2 && !connector(1).active);
    CHECK_EQ(0, set(1, &m));
    CHECK_EQ(0, pixel(1, 0, 0));
    CHECK_EQ(2, flip(1, 1)); /* points go on */
    CHECK_EQ(0, hotplug(2, 0, 3));
    CHECK(connector(2).connected && status(2).hotplugs == 3);
    CHECK_EQ(-ENOENT, hotplug(3, 0, 1));
    CHECK_EQ(-EINVAL, hotplug(1, 1, 1));
    CHECK_EQ(-EINVAL, hotplug(1, 0, 0));
    close_display();
    CHECK_EQ(0, open_display("screens=hdmi:svga"));
    CHECK_EQ(IO_NOT_SUPPORTED, hotplug(1, 0, 1));
    close_display();
}

static const struct test tests[] = {
    TEST(connectors_are_what_the_setting_says),
    TEST(only_modes_of_the_screen_are_set),
    TEST(power_states_stop_frames),
    TEST(a_cable_that_is_pulled_out_takes_the_mode_along),
};

int main(int argc, char **argv)
{
    return run_tests("display", tests, sizeof tests / sizeof tests[0], argc, argv);
}
