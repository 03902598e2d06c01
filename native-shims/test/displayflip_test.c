/* Framebuffers, flips and cursors of the display in software. */
#include <errno.h>

#include "display_harness.h"

static void a_flip_is_shown_by_the_next_frame(void)
{
    uint8_t *a, *b;
    CHECK_EQ(0, open_display("screens=hdmi:svga"));
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
    close_display();
}

static void flips_that_cannot_be_are_refused(void)
{
    uint8_t *p;
    CHECK_EQ(0, open_display("screens=hdmi:svga"));
    AccelDisplayMode svga = mode(1, 0), vga = mode(1, 1);
    CHECK_EQ(0, frame(1, W, H, ISLE_FORMAT_XRGB8888, &p));
    CHECK_EQ(0, frame(2, 640, 480, ISLE_FORMAT_XRGB8888, &p));
    CHECK_EQ(0, set(1, &svga));
    CHECK_EQ(-EINVAL, flip(1, 2));
    CHECK_EQ(-ENOENT, flip(9, 1));
    CHECK_EQ(-ESTALE, flip(1, 3));
    isle_framebuffer_request q = {.memory = MEMORY(1), .framebuffer = FRAME(4), .width = 8, .height = 8, .format = 0x20203852};
    CHECK_EQ(IO_NOT_SUPPORTED, core_call(&core, ISLE_OP_CREATE_FRAMEBUFFER, &q, sizeof q));
    int64_t last = 0, next;
    while ((next = flip(1, 1)) > 0) /* a frame may begin between two flips */
        last = next;
    CHECK_EQ(-EBUSY, next);
    CHECK_EQ(0, set(1, &vga)); /* signals it */
    isle_scanout_status s = status(1);
    CHECK(s.point == (uint64_t)last && !s.pending);
    CHECK_EQ(-EINVAL, flip(1, 1));
    CHECK_EQ(last + 1, flip(1, 2));
    CHECK_EQ(0, put(ISLE_OP_SET_DPMS, 1, ACCEL_DPMS_OFF));
    CHECK_EQ(last + 1, status(1).point);
    CHECK_EQ(-EPERM, flip(1, 2));
    CHECK_EQ(0, put(ISLE_OP_SET_DPMS, 1, ACCEL_DPMS_ON));
    CHECK_EQ(last + 2, flip(1, 2));
    close_display();
}

static void a_screen_with_a_range_shows_a_flip_when_it_comes(void)
{
    uint8_t *p;
    CHECK_EQ(0, open_display("screens=displayport:vrr_1440p,hdmi:full_hd"));
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
    s = status(1);
    CHECK(s.next_ns - s.frame_ns <= 6944468);
    close_display();
}

static void the_cursor_lies_over_the_picture(void)
{
    static struct {
        isle_cursor_request q;
        uint32_t pixels[64 * 64];
    } k = {.q = {.connector = 1, .width = 2, .height = 1, .x = 799, .y = 10}, .pixels = {0xff00ff00, 0xffffffff}};
    uint8_t *p;
    CHECK_EQ(0, open_display("screens=hdmi:svga"));
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
    close_display();
}

static void memory_that_is_freed_leaves_the_screen_black(void)
{
    uint8_t *p;
    CHECK_EQ(0, open_display("screens=hdmi:svga"));
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
    close_display();
}

/* It is a whole accelerator too: what its engine draws is what the screen shows. */
static void the_engine_draws_what_is_shown(void)
{
    uint8_t *p;
    struct command k;
    CHECK_EQ(0, open_display("screens=hdmi:svga\ncompute_units=1"));
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
    close_display();
}

static const struct test tests[] = {
    TEST(a_flip_is_shown_by_the_next_frame),
    TEST(flips_that_cannot_be_are_refused),
    TEST(a_screen_with_a_range_shows_a_flip_when_it_comes),
    TEST(the_cursor_lies_over_the_picture),
    TEST(memory_that_is_freed_leaves_the_screen_black),
    TEST(the_engine_draws_what_is_shown),
};

int main(int argc, char **argv)
{
    return run_tests("displayflip", tests, sizeof tests / sizeof tests[0], argc, argv);
}
