/* The display in software, through driver-rt. */
#include <errno.h>
#include <unistd.h>

#include "harness.h"

#define CONTEXT core_id(ISLE_KIND_CONTEXT, 1, 1)
#define MEMORY(i) core_id(ISLE_KIND_MEMORY, 1, i)
#define FRAME(i) core_id(ISLE_KIND_FRAMEBUFFER, 1, i)
#define W 800u
#define H 600u

static struct core core;
static uint8_t *heap;

static int begin(const char *settings)
{
    core_make(&core);
    int rc = core_load(&core, "libtestdisplay.so");
    rc = rc ? rc : core_open(&core, settings);
    rc = rc ? rc : core_heap(&core, 16, TEST_HEAP, &heap);
    return rc ? rc : core_context(&core, CONTEXT, 16, NULL);
}

static void end(void)
{
    core_unload(&core);
    core_free(&core);
}

static int ask(uint32_t op, uint32_t connector)
{
    return core_call(&core, op, &connector, sizeof connector);
}

static int put(uint32_t op, uint32_t connector, uint32_t value)
{
    isle_connector_value q = {connector, value};
    return core_call(&core, op, &q, sizeof q);
}

static AccelDisplayMode mode(uint32_t connector, uint32_t index)
{
    AccelDisplayMode m = {0};
    if (!ask(ISLE_OP_MODES, connector) && core_body_length(&core) >= (index + 1) * sizeof m)
        memcpy(&m, (const uint8_t *)core_body(&core) + index * sizeof m, sizeof m);
    return m;
}

static int set(uint32_t connector, const AccelDisplayMode *m)
{
    isle_mode_request q = {.connector = connector, .mode = *m};
    return core_call(&core, ISLE_OP_SET_MODE, &q, sizeof q);
}

static isle_scanout_status status(uint32_t connector)
{
    isle_scanout_status s = {.dpms = 99};
    if (!ask(ISLE_OP_SCANOUT_STATUS, connector))
        memcpy(&s, core_body(&core), sizeof s);
    return s;
}

static AccelConnectorInfo connector(uint32_t id)
{
    AccelConnectorInfo c = {0};
    if (!core_call(&core, ISLE_OP_CONNECTORS, NULL, 0) && id * sizeof c <= core_body_length(&core))
        memcpy(&c, (const uint8_t *)core_body(&core) + (id - 1) * sizeof c, sizeof c);
    return c;
}

static int frame(uint32_t i, uint32_t width, uint32_t height, uint32_t format, uint8_t **pixels)
{
    isle_alloc_response at;
    uint32_t bytes = format == ISLE_FORMAT_RGB565 ? 2 : 4;
    int rc = core_alloc(&core, CONTEXT, MEMORY(i), (uint64_t)width * height * bytes, ACCEL_MEM_CPU_VISIBLE, &at);
    if (rc)
        return rc;
    *pixels = heap + at.offset;
    isle_framebuffer_request q = {.memory = MEMORY(i), .framebuffer = FRAME(i), .width = width, .height = height, .format = format};
    return core_call(&core, ISLE_OP_CREATE_FRAMEBUFFER, &q, sizeof q);
}

/* The point, or a negative code. */
static int64_t flip(uint32_t connector_id, uint32_t i)
{
    isle_flip_request q = {.framebuffer = FRAME(i), .connector = connector_id};
    uint64_t point;
    int rc = core_call(&core, ISLE_OP_PAGE_FLIP, &q, sizeof q);
    memcpy(&point, core_body(&core), sizeof point);
    return rc ? rc : (int64_t)point;
}

/* Asks until the point is signalled; the test's alarm bounds it. */
static isle_scanout_status shown(uint32_t connector_id, uint64_t point)
{
    isle_scanout_status s = status(connector_id);
    while (s.point < point && s.dpms != 99)
        s = status(connector_id);
    return s;
}

static uint32_t pixel(uint32_t connector_id, uint32_t x, uint32_t y)
{
    isle_scanout_request q = {.connector = connector_id, .first_line = y, .line_count = 1};
    uint32_t v = 0xdeadbeef;
    if (!core_call(&core, ISLE_OP_SCANOUT_READ, &q, sizeof q))
        memcpy(&v, (const uint8_t *)core_body(&core) + sizeof(isle_scanout_part) + 4 * x, 4);
    return v;
}

static int hotplug(uint32_t connector_id, uint64_t after, uint64_t count)
{
    isle_inject_request q = {.fault = ISLE_FAULT_HOTPLUG, .after = after, .count = count, .value = connector_id};
    return core_call(&core, ISLE_OP_INJECT_FAULT, &q, sizeof q);
}

static void connectors_are_what_the_setting_says(void)
{
    CHECK_EQ(0, begin(NULL));
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
    end();
    core_make(&core);
    CHECK_EQ(0, core_load(&core, "libtestdisplay.so"));
    const char *const bad[] = {"screens=", "screens=hdmi", "screens=hdmi:tv", "screens=scart:svga", "screens=hdmi:svga,", "screens=:",
                               "screens=edp:xga,edp:xga,edp:xga,edp:xga,edp:xga,edp:xga,edp:xga,edp:xga,edp:xga", "memory_bytes=1"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK_EQ(-EINVAL, core_open(&core, bad[i]));
    CHECK_EQ(0, core_open(&core, "screens=edp:xga,-virtual:svga\nclass=other\nmemory_bytes=32m"));
    CHECK_EQ(2 * sizeof(AccelConnectorInfo), (core_call(&core, ISLE_OP_CONNECTORS, NULL, 0), core_body_length(&core)));
    end();
}

static void only_modes_of_the_screen_are_set(void)
{
    CHECK_EQ(0, begin("screens=hdmi:svga,-vga:xga"));
    AccelDisplayMode m = mode(1, 0);
    CHECK(!connector(1).active && status(1).next_ns == 0 && status(1).frames == 0);
    CHECK_EQ(0, set(1, &m));
    CHECK(connector(1).active && status(1).frames == 1 && status(1).next_ns > status(1).frame_ns);
    uint64_t first = status(1).frame_ns;
    while (status(1).frames < 4) /* frames come by themselves */
        continue;
    uint64_t passed = status(1).frame_ns - first, want = (status(1).frames - 1) * 16579200ull;
    CHECK(passed + 2 > want && passed < want + 2 + 16579200ull);
    m.clock_khz++;
    CHECK_EQ(-EINVAL, set(1, &m));
    m.clock_khz--, m.vbp++;
    CHECK_EQ(-EINVAL, set(1, &m));
    m.vbp--;
    CHECK_EQ(-ENXIO, set(2, &m));
    CHECK_EQ(-ENOENT, set(3, &m));
    end();
}

static void a_flip_is_shown_by_the_next_frame(void)
{
    uint8_t *a, *b;
    CHECK_EQ(0, begin("screens=hdmi:svga"));
    AccelDisplayMode m = mode(1, 0);
    CHECK_EQ(0, frame(1, W, H, ISLE_FORMAT_XRGB8888, &a));
    CHECK_EQ(0, frame(2, W, H, ISLE_FORMAT_RGB565, &b));
    CHECK_EQ(-EINVAL, flip(1, 1)); /* no mode yet */
    CHECK_EQ(0, set(1, &m));
    CHECK_EQ(0, pixel(1, 5, 7));
    memcpy(a + 4 * (7 * W + 5), (uint32_t[]){0xff123456}, 4);
    memcpy(b + 2 * (7 * W + 5), (uint16_t[]){0xf81f}, 2);
    for (uint64_t point = 1; point <= 4; point++) {
        uint64_t before = status(1).frame_ns;
        CHECK_EQ(point, flip(1, 2 - point % 2));
        isle_scanout_status s = shown(1, point);
        CHECK(s.point == point && !s.pending && s.flip_ns > before && s.flip_ns <= s.frame_ns);
        CHECK_EQ(point % 2 ? 0x123456 : 0xff00ff, pixel(1, 5, 7));
        CHECK_EQ(0, pixel(1, 6, 7));
    }
    end();
}

static void flips_that_cannot_be_are_refused(void)
{
    uint8_t *p;
    CHECK_EQ(0, begin("screens=hdmi:svga"));
    AccelDisplayMode svga = mode(1, 0), vga = mode(1, 1);
    CHECK_EQ(0, frame(1, W, H, ISLE_FORMAT_XRGB8888, &p));
    CHECK_EQ(0, frame(2, 640, 480, ISLE_FORMAT_XRGB8888, &p));
    CHECK_EQ(0, set(1, &svga));
    CHECK_EQ(-EINVAL, flip(1, 2));
    CHECK_EQ(-ENOENT, flip(9, 1));
    CHECK_EQ(-ESTALE, flip(1, 3));
    isle_framebuffer_request q = {.memory = MEMORY(1), .framebuffer = FRAME(4), .width = 8, .height = 8, .format = 0x20203852};
    CHECK_EQ(IO_NOT_SUPPORTED, core_call(&core, ISLE_OP_CREATE_FRAMEBUFFER, &q, sizeof q));
    CHECK_EQ(1, flip(1, 1));
    CHECK_EQ(-EBUSY, flip(1, 1));
    CHECK_EQ(0, set(1, &vga)); /* signals it */
    CHECK(status(1).point == 1 && !status(1).pending);
    CHECK_EQ(-EINVAL, flip(1, 1));
    CHECK_EQ(2, flip(1, 2));
    CHECK_EQ(0, put(ISLE_OP_SET_DPMS, 1, ACCEL_DPMS_OFF));
    CHECK_EQ(2, status(1).point);
    CHECK_EQ(-EPERM, flip(1, 2));
    CHECK_EQ(0, put(ISLE_OP_SET_DPMS, 1, ACCEL_DPMS_ON));
    CHECK_EQ(3, flip(1, 2));
    end();
}

static void power_states_stop_frames(void)
{
    uint8_t *p;
    CHECK_EQ(0, begin("screens=hdmi:svga"));
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
    end();
}

static void a_cable_that_is_pulled_out_takes_the_mode_along(void)
{
    uint8_t *p;
    CHECK_EQ(0, begin("screens=hdmi:svga,-dvi:svga\nfault_injection=true"));
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
    end();
    CHECK_EQ(0, begin("screens=hdmi:svga"));
    CHECK_EQ(IO_NOT_SUPPORTED, hotplug(1, 0, 1));
    end();
}

static void a_screen_with_a_range_shows_a_flip_when_it_comes(void)
{
    uint8_t *p;
    CHECK_EQ(0, begin("screens=displayport:vrr_1440p,hdmi:full_hd"));
    AccelDisplayMode m = mode(1, 0), full = mode(2, 0);
    CHECK_EQ(-EINVAL, put(ISLE_OP_SET_VRR, 1, 1)); /* no mode */
    CHECK_EQ(0, set(2, &full));
    CHECK_EQ(IO_NOT_SUPPORTED, put(ISLE_OP_SET_VRR, 2, 1));
    CHECK_EQ(0, frame(1, 2560, 1440, ISLE_FORMAT_XRGB8888, &p));
    CHECK_EQ(0, set(1, &m));
    CHECK_EQ(-EINVAL, put(ISLE_OP_SET_VRR, 1, 2));
    CHECK_EQ(0, put(ISLE_OP_SET_VRR, 1, 1));
    isle_scanout_status s = status(1);
    CHECK(s.vrr_enabled && s.vrr_min_millihz == 48000 && s.vrr_max_millihz == 144000 && s.next_ns - s.frame_ns == 20833333);
    uint64_t last = s.frame_ns;
    for (uint64_t point = 1; point <= 5; point++) {
        CHECK_EQ(point, flip(1, 1));
        s = shown(1, point);
        CHECK(s.flip_ns >= last + 6944467 && s.next_ns >= s.flip_ns);
        last = s.flip_ns;
    }
    CHECK_EQ(0, put(ISLE_OP_SET_VRR, 1, 0));
    CHECK(status(1).next_ns - status(1).frame_ns <= 6944468);
    end();
}

static void the_cursor_lies_over_the_picture(void)
{
    static struct {
        isle_cursor_request q;
        uint32_t pixels[64 * 64];
    } k = {.q = {.connector = 1, .width = 2, .height = 1, .x = 799, .y = 10}, .pixels = {0xff00ff00, 0xffffffff}};
    uint8_t *p;
    CHECK_EQ(0, begin("screens=hdmi:svga"));
    AccelDisplayMode m = mode(1, 0);
    CHECK_EQ(0, frame(1, W, H, ISLE_FORMAT_XRGB8888, &p));
    memset(p, 0x20, W * H * 4);
    CHECK_EQ(-EINVAL, core_call(&core, ISLE_OP_SET_CURSOR, &k, sizeof k.q + 8));
    CHECK_EQ(0, set(1, &m));
    shown(1, (uint64_t)flip(1, 1));
    CHECK_EQ(0, core_call(&core, ISLE_OP_SET_CURSOR, &k, sizeof k.q + 8));
    CHECK(status(1).cursor && pixel(1, 799, 10) == 0x00ff00 && pixel(1, 798, 10) == 0x202020 && pixel(1, 799, 11) == 0x202020);
    k.q.x = 0;
    k.pixels[0] = 0x80ff0000; /* half red */
    CHECK_EQ(0, core_call(&core, ISLE_OP_SET_CURSOR, &k, sizeof k.q + 8));
    CHECK_EQ(0x901010, pixel(1, 0, 10));
    CHECK_EQ(0xffffff, pixel(1, 1, 10));
    CHECK_EQ(-EINVAL, core_call(&core, ISLE_OP_SET_CURSOR, &k, sizeof k.q + 4));
    k.q.x = 800;
    CHECK_EQ(-EINVAL, core_call(&core, ISLE_OP_SET_CURSOR, &k, sizeof k.q + 8));
    k.q = (isle_cursor_request){.connector = 1, .width = 65, .height = 1};
    CHECK_EQ(-EINVAL, core_call(&core, ISLE_OP_SET_CURSOR, &k, sizeof k.q + 65 * 4));
    k.q.width = k.q.height = 0;
    CHECK_EQ(0, core_call(&core, ISLE_OP_SET_CURSOR, &k, sizeof k.q));
    CHECK(!status(1).cursor && pixel(1, 0, 10) == 0x202020);
    end();
}

static void memory_that_is_freed_leaves_the_screen_black(void)
{
    uint8_t *p;
    CHECK_EQ(0, begin("screens=hdmi:svga"));
    AccelDisplayMode m = mode(1, 0);
    CHECK_EQ(0, set(1, &m));
    CHECK_EQ(0, frame(1, W, H, ISLE_FORMAT_XRGB8888, &p));
    memset(p, 0x40, W * H * 4);
    shown(1, (uint64_t)flip(1, 1));
    CHECK_EQ(0x404040, pixel(1, 1, 1));
    CHECK_EQ(0, core_call(&core, ISLE_OP_FREE, (uint64_t[]){MEMORY(1)}, 8));
    CHECK_EQ(0, pixel(1, 1, 1));
    CHECK_EQ(-ESTALE, flip(1, 1));
    for (uint32_t i = 2; i < 600; i++) { /* places of framebuffers whose memory is gone are used again */
        CHECK_EQ(0, frame(i, 8, 8, ISLE_FORMAT_XRGB8888, &p));
        CHECK_EQ(0, core_call(&core, ISLE_OP_FREE, (uint64_t[]){MEMORY(i)}, 8));
    }
    CHECK_EQ(0, frame(600, W, H, ISLE_FORMAT_XRGB8888, &p));
    for (uint32_t i = 0; i < 255; i++) {
        isle_framebuffer_request q = {.memory = MEMORY(600), .framebuffer = FRAME(700 + i), .width = 8, .height = 8,
                                      .format = ISLE_FORMAT_XRGB8888};
        CHECK_EQ(0, core_call(&core, ISLE_OP_CREATE_FRAMEBUFFER, &q, sizeof q));
    }
    isle_framebuffer_request q = {.memory = MEMORY(600), .framebuffer = FRAME(1000), .width = 8, .height = 8, .format = ISLE_FORMAT_XRGB8888};
    CHECK_EQ(-ENOSPC, core_call(&core, ISLE_OP_CREATE_FRAMEBUFFER, &q, sizeof q));
    end();
}

/* It is a whole accelerator too: what its engine draws is what the screen shows. */
static void the_engine_draws_what_is_shown(void)
{
    uint8_t *p;
    struct command k;
    CHECK_EQ(0, begin("screens=hdmi:svga\ncompute_units=1"));
    AccelDisplayMode m = mode(1, 0);
    CHECK_EQ(0, set(1, &m));
    CHECK_EQ(0, frame(1, W, H, ISLE_FORMAT_XRGB8888, &p));
    command_begin(&k);
    command_bind(&k, MEMORY(1), 0, W * H * 4, ISLE_ACCESS_WRITE);
    command_fill(&k, 0, 0, W * H * 4, 0x00336699);
    CHECK_EQ(0, core_run(&core, CONTEXT, &k, NULL));
    shown(1, (uint64_t)flip(1, 1));
    CHECK_EQ(0x336699, pixel(1, W - 1, H - 1));
    AccelDeviceInfo info;
    CHECK_EQ(0, core_call(&core, ISLE_OP_INFO, NULL, 0));
    memcpy(&info, core_body(&core), sizeof info);
    CHECK_EQ(ACCEL_CLASS_GPU, info.device_class);
    end();
}

static const struct test tests[] = {
    TEST(connectors_are_what_the_setting_says),
    TEST(only_modes_of_the_screen_are_set),
    TEST(a_flip_is_shown_by_the_next_frame),
    TEST(flips_that_cannot_be_are_refused),
    TEST(power_states_stop_frames),
    TEST(a_cable_that_is_pulled_out_takes_the_mode_along),
    TEST(a_screen_with_a_range_shows_a_flip_when_it_comes),
    TEST(the_cursor_lies_over_the_picture),
    TEST(memory_that_is_freed_leaves_the_screen_black),
    TEST(the_engine_draws_what_is_shown),
};

int main(int argc, char **argv)
{
    return run_tests("display", tests, sizeof tests / sizeof tests[0], argc, argv);
}
