/* The display's clock, its connectors and their EDID, without a device. */
#include <errno.h>
#include <math.h>

#include "../testdisplay/display.h"
#include "harness.h"

#define S 1000000000ull

static uint64_t now = S;

/* Stands in for the accelerator's. */
uint64_t soft_now(void)
{
    return now;
}

static struct frames full_hd(uint64_t base)
{
    return (struct frames){.base_ns = base, .total = 2200 * 1125, .clock_khz = 148500};
}

static void frames_keep_the_exact_rate(void)
{
    struct frames f = full_hd(5 * S);
    CHECK_EQ(5 * S, frames_at(&f, 0));
    CHECK_EQ(5 * S + 16666667, frames_at(&f, 1));
    CHECK_EQ(6 * S, frames_at(&f, 60));
    CHECK_EQ(5 * S + 86400 * S, frames_at(&f, 86400ull * 60));
    struct frames vga = {.base_ns = 0, .total = 800 * 525, .clock_khz = 25175};
    CHECK_EQ(420 * S, frames_at(&vga, 25175));
    for (uint64_t n = 0; n < 100000; n += 7) {
        CHECK_EQ(n, frames_newest(&vga, frames_at(&vga, n)));
        CHECK_EQ(n, frames_newest(&vga, frames_at(&vga, n + 1) - 1));
    }
}

static void a_flip_waits_for_the_next_frame(void)
{
    struct frames f = full_hd(5 * S);
    CHECK_EQ(5 * S, frames_flip_at(&f, 5 * S));
    CHECK_EQ(frames_at(&f, 1), frames_flip_at(&f, 5 * S + 1));
    CHECK_EQ(frames_at(&f, 1), frames_flip_at(&f, frames_at(&f, 1)));
    CHECK_EQ(frames_at(&f, 2), frames_flip_at(&f, frames_at(&f, 1) + 1));
    uint64_t state = 1;
    for (int i = 0; i < 100000; i++) {
        uint64_t since = 5 * S + test_random(&state) % (100000 * S), at = frames_flip_at(&f, since);
        CHECK(at >= since && at - since <= 16666667 && frames_at(&f, frames_newest(&f, at)) == at);
    }
}

/* 48 to 144 Hz: a frame lasts 6.9 ms at least, 20.8 ms at most. */
static void at_a_variable_rate_the_screen_waits_for_the_flip(void)
{
    struct frames f = {.base_ns = S, .total = 2720 * 1525, .clock_khz = 597310, .longest_ns = 20833333};
    uint64_t shortest = 6944468;
    CHECK_EQ(S + shortest, frames_flip_at(&f, S + 1000));
    CHECK_EQ(S + 10000000, frames_flip_at(&f, S + 10000000));
    CHECK_EQ(S + 20833332, frames_flip_at(&f, S + 20833332));
    CHECK_EQ(S + 20833333 + shortest, frames_flip_at(&f, S + 20833333)); /* that frame has begun without it */
    CHECK_EQ(3, frames_newest(&f, S + 3 * 20833333));
}

static void frames_are_counted_over_restarts(void)
{
    struct frames f = {0};
    frames_restart(&f, 5 * S, 2200 * 1125, 148500, 0);
    CHECK(frames_run(&f) && f.base == 0);
    frames_restart(&f, 6 * S + 1, 0, 0, 0);
    CHECK(!frames_run(&f) && f.base == 61);
    frames_restart(&f, 9 * S, 2200 * 1125, 148500, 0);
    CHECK_EQ(61, f.base);
    frames_restart(&f, 10 * S, 2200 * 1125, 148500, 0); /* the frame that begins now is the first of the new run */
    CHECK_EQ(121, f.base);
}

static void rates_follow_from_clock_and_totals(void)
{
    uint32_t modes = 0;
    for (uint32_t i = 0; monitor_at(i); i++) {
        const struct monitor *s = monitor_at(i);
        CHECK(monitor_named(s->name, strlen(s->name)) == s && !monitor_named(s->name, strlen(s->name) - 1));
        for (uint32_t k = 0; k < s->mode_count; k++, modes++) {
            AccelDisplayMode m;
            monitor_mode(s, k, &m);
            double exact = 1e6 * m.clock_khz / (double)mode_total(&m);
            CHECK(fabs(exact - m.refresh_millihz) <= 0.5 && m.preferred == (k == 0) && m.width % 8 == 0);
            CHECK(m.clock_khz < 655350 && m.hfp < 1024 && m.hsw < 1024 && m.vfp < 64 && m.vsw < 64);
        }
    }
    CHECK_EQ(18, modes);
}

/* A detailed timing as a reader of the standard decodes it. */
static void decode(const uint8_t *d, AccelDisplayMode *m)
{
    uint32_t hblank = d[3] | (d[4] & 15u) << 8, vblank = d[6] | (d[7] & 15u) << 8;
    *m = (AccelDisplayMode){.width = d[2] | (d[4] & 0xf0u) << 4,
                            .height = d[5] | (d[7] & 0xf0u) << 4,
                            .clock_khz = (d[0] | (uint32_t)d[1] << 8) * 10,
                            .hfp = (uint16_t)(d[8] | (d[11] & 0xc0) << 2),
                            .hsw = (uint16_t)(d[9] | (d[11] & 0x30) << 4),
                            .vfp = (uint16_t)(d[10] >> 4 | (d[11] & 0x0c) << 2),
                            .vsw = (uint16_t)((d[10] & 15) | (d[11] & 3) << 4)};
    m->hbp = (uint16_t)(hblank - m->hfp - m->hsw);
    m->vbp = (uint16_t)(vblank - m->vfp - m->vsw);
}

static bool named(const uint8_t *e, const AccelDisplayMode *m)
{
    if (m->width == 640)
        return e[35] & 0x20;
    if (m->width == 800)
        return e[35] & 0x01;
    if (m->width == 1024)
        return e[36] & 0x08;
    for (int i = 38; i < 54; i += 2)
        if ((e[i] + 31u) * 8 == m->width && e[i + 1] == 0xc0 && m->height * 16 == m->width * 9)
            return true;
    return false;
}

static void edids_are_valid_and_describe_the_modes(void)
{
    for (uint32_t i = 0; monitor_at(i); i++) {
        const struct monitor *s = monitor_at(i);
        uint8_t e[ISLE_EDID_BLOCK], sum = 0;
        edid_write(s, ACCEL_CONNECTOR_HDMI, e);
        for (uint32_t k = 0; k < sizeof e; k++)
            sum = (uint8_t)(sum + e[k]);
        CHECK_EQ(0, sum);
        CHECK(!memcmp(e, "\x00\xff\xff\xff\xff\xff\xff\x00", 8) && e[18] == 1 && e[19] == 4 && e[126] == 0);
        CHECK((e[20] & 0x8f) == 0x82 && e[8] == 0x26 && e[9] == 0x6c);
        uint32_t names = 0, limits = 0;
        for (uint32_t k = 0; k < s->mode_count; k++) {
            AccelDisplayMode m, said;
            monitor_mode(s, k, &m);
            if (k < s->detailed) {
                decode(e + 54 + 18 * k, &said);
                said.refresh_millihz = m.refresh_millihz;
                said.preferred = m.preferred;
                CHECK(!memcmp(&m, &said, sizeof m));
            } else {
                CHECK(named(e, &m));
            }
        }
        for (uint32_t at = 54 + 18 * s->detailed; at < 126; at += 18) {
            names += e[at + 3] == 0xfc && !memcmp(e + at + 5, "ISLE ", 5);
            limits += e[at + 3] == 0xfd && e[at + 5] == 48 && e[at + 6] == 144 && e[at + 7] >= 31 && e[at + 8] >= 219 && e[at + 9] == 60;
        }
        CHECK_EQ(1, names);
        CHECK_EQ(s->vrr_max_millihz != 0, limits);
    }
    uint8_t vga[ISLE_EDID_BLOCK];
    edid_write(monitor_at(0), ACCEL_CONNECTOR_VGA, vga);
    CHECK(!(vga[20] & 0x80));
}

/* At most `max` of a list are written, and with 0 nothing is: the pointer may be NULL then. */
static void lists_are_cut_to_what_there_is_room_for(void)
{
    static struct display d = {.connector_count = 2};
    AccelConnectorInfo connectors[2] = {0};
    AccelDisplayMode modes[2] = {0};
    uint8_t edid[ISLE_EDID_BLOCK];
    uint32_t n = 0;
    for (uint32_t i = 0; i < 2; i++)
        d.connectors[i] = (struct connector){.monitor = monitor_at(0), .connected = i == 0};
    CHECK_EQ(0, display_get_connectors(&d, NULL, 0, &n));
    CHECK_EQ(2, n);
    CHECK_EQ(0, display_get_connectors(&d, connectors, 1, &n));
    CHECK(n == 2 && connectors[0].connector_id == 1 && connectors[1].connector_id == 0);
    CHECK_EQ(0, display_get_modes(&d, 1, NULL, 0, &n));
    CHECK_EQ(2, n);
    CHECK_EQ(0, display_get_modes(&d, 1, modes, 1, &n));
    CHECK(n == 2 && modes[0].width == 800 && modes[1].width == 0);
    CHECK_EQ(0, display_read_edid(&d, 1, NULL, 0, &n));
    CHECK_EQ(ISLE_EDID_BLOCK, n);
    memset(edid, 0x77, sizeof edid);
    CHECK_EQ(0, display_read_edid(&d, 1, edid, 8, &n));
    CHECK(n == ISLE_EDID_BLOCK && edid[7] == 0 && edid[8] == 0x77);
    CHECK_EQ(-EINVAL, display_read_edid(&d, 1, NULL, 8, &n));
    CHECK_EQ(-ENXIO, display_read_edid(&d, 2, edid, 8, &n));
    CHECK_EQ(-EINVAL, display_get_modes(&d, 1, modes, 2, NULL));
}

static void a_pulled_out_connector_forgets(void)
{
    static struct display d = {.connector_count = 1};
    struct connector *c = &d.connectors[0];
    *c = (struct connector){.monitor = monitor_at(3), .connected = true, .active = true, .vrr = true, .dpms = ACCEL_DPMS_OFF};
    monitor_mode(c->monitor, 0, &c->mode);
    c->cursor.width = c->cursor.height = 1;
    c->pending = 7;
    c->asked = 3;
    now = 9 * S;
    CHECK_EQ(0, display_hotplug(&d, 1, 1));
    CHECK(!c->connected && !c->active && !c->vrr && c->dpms == ACCEL_DPMS_ON && !c->mode.width && !c->cursor.width && !c->shown);
    CHECK(!c->pending && c->signalled == 3 && c->flip_ns == 9 * S && c->hotplugs == 1);
    CHECK_EQ(0, display_hotplug(&d, 1, 1000));
    CHECK(!c->connected && c->hotplugs == 1001 && !c->active);
    CHECK_EQ(-EINVAL, display_hotplug(&d, 1, 1001));
    CHECK_EQ(-EINVAL, display_hotplug(&d, 1, 0));
    CHECK_EQ(-ENOENT, display_hotplug(&d, 2, 1));
}

static const struct test tests[] = {
    TEST(frames_keep_the_exact_rate),
    TEST(a_flip_waits_for_the_next_frame),
    TEST(at_a_variable_rate_the_screen_waits_for_the_flip),
    TEST(frames_are_counted_over_restarts),
    TEST(rates_follow_from_clock_and_totals),
    TEST(edids_are_valid_and_describe_the_modes),
    TEST(lists_are_cut_to_what_there_is_room_for),
    TEST(a_pulled_out_connector_forgets),
};

int main(int argc, char **argv)
{
    return run_tests("displaymodel", tests, sizeof tests / sizeof tests[0], argc, argv);
}
