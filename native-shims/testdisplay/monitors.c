/* Screens that can be plugged in, with the timings of the VESA and CEA standards where these have the mode. */
#include "display.h"

#include <string.h>

/* {width, height, refresh: computed, clock, hfp, hsw, hbp, vfp, vsw, vbp} */
#define VGA_60 {640, 480, 0, 25175, 16, 96, 48, 10, 2, 33, 0, {0}}
#define SVGA_60 {800, 600, 0, 40000, 40, 128, 88, 1, 4, 23, 0, {0}}
#define XGA_60 {1024, 768, 0, 65000, 24, 136, 160, 3, 6, 29, 0, {0}}
#define HD_60 {1280, 720, 0, 74250, 110, 40, 220, 5, 5, 20, 0, {0}}
#define FULL_HD_60 {1920, 1080, 0, 148500, 88, 44, 148, 4, 5, 36, 0, {0}}
#define FULL_HD_50 {1920, 1080, 0, 148500, 528, 44, 148, 4, 5, 36, 0, {0}}
#define WQHD_60 {2560, 1440, 0, 241500, 48, 32, 80, 3, 5, 33, 0, {0}}
#define WQHD_144 {2560, 1440, 0, 597310, 48, 32, 80, 3, 5, 77, 0, {0}}

static const struct monitor monitors[] = {
    {.name = "svga", .modes = {SVGA_60, VGA_60}, .mode_count = 2, .detailed = 1, .width_mm = 280, .height_mm = 210, .product = 1},
    {.name = "xga", .modes = {XGA_60, SVGA_60, VGA_60}, .mode_count = 3, .detailed = 1, .width_mm = 300, .height_mm = 230, .product = 2},
    {.name = "full_hd",
     .modes = {FULL_HD_60, FULL_HD_50, HD_60, XGA_60, SVGA_60, VGA_60},
     .mode_count = 6,
     .detailed = 2,
     .width_mm = 530,
     .height_mm = 300,
     .product = 3},
    {.name = "vrr_1440p",
     .modes = {WQHD_144, WQHD_60, FULL_HD_60, HD_60, XGA_60, SVGA_60, VGA_60},
     .mode_count = 7,
     .detailed = 2,
     .vrr_min_millihz = 48000,
     .vrr_max_millihz = 144000,
     .width_mm = 600,
     .height_mm = 340,
     .product = 4},
};

const struct monitor *monitor_at(uint32_t index)
{
    return index < sizeof monitors / sizeof monitors[0] ? &monitors[index] : NULL;
}

const struct monitor *monitor_named(const char *name, size_t length)
{
    for (uint32_t i = 0; monitor_at(i); i++)
        if (strlen(monitors[i].name) == length && !memcmp(monitors[i].name, name, length))
            return &monitors[i];
    return NULL;
}

uint64_t mode_total(const AccelDisplayMode *m)
{
    return (uint64_t)(m->width + m->hfp + m->hsw + m->hbp) * (m->height + m->vfp + m->vsw + m->vbp);
}

void monitor_mode(const struct monitor *m, uint32_t index, AccelDisplayMode *out)
{
    uint64_t total = mode_total(&m->modes[index]);
    *out = m->modes[index];
    out->refresh_millihz = (uint32_t)(((uint64_t)out->clock_khz * 1000000 + total / 2) / total);
    out->preferred = index == 0;
}
