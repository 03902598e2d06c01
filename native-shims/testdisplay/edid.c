/* EDID 1.4 base blocks (VESA E-EDID A2). */
#include "display.h"

#include <string.h>

#define DESCRIPTOR 18

static void put16(uint8_t *at, uint32_t v)
{
    at[0] = (uint8_t)v;
    at[1] = (uint8_t)(v >> 8);
}

/* Detailed timing descriptor; clock in 10 kHz, sizes in 12 bits, front porches and sync widths in 10 and 6. */
static void detailed(const struct monitor *screen, const AccelDisplayMode *m, uint8_t *d)
{
    uint32_t hblank = (uint32_t)m->hfp + m->hsw + m->hbp, vblank = (uint32_t)m->vfp + m->vsw + m->vbp;
    put16(d, m->clock_khz / 10);
    d[2] = (uint8_t)m->width;
    d[3] = (uint8_t)hblank;
    d[4] = (uint8_t)(m->width >> 8 << 4 | hblank >> 8);
    d[5] = (uint8_t)m->height;
    d[6] = (uint8_t)vblank;
    d[7] = (uint8_t)(m->height >> 8 << 4 | vblank >> 8);
    d[8] = (uint8_t)m->hfp;
    d[9] = (uint8_t)m->hsw;
    d[10] = (uint8_t)((m->vfp & 15) << 4 | (m->vsw & 15));
    d[11] = (uint8_t)(m->hfp >> 8 << 6 | m->hsw >> 8 << 4 | m->vfp >> 4 << 2 | m->vsw >> 4);
    d[12] = (uint8_t)screen->width_mm;
    d[13] = (uint8_t)screen->height_mm;
    d[14] = (uint8_t)(screen->width_mm >> 8 << 4 | screen->height_mm >> 8);
    d[17] = 0x1e; /* digital separate sync, both positive */
}

/* A text descriptor: at most 13 characters, a line feed after fewer, blanks behind it. */
static void text(uint8_t kind, const char *prefix, const char *name, uint8_t *d)
{
    d[3] = kind;
    memset(d + 5, ' ', 13);
    uint32_t n = 0;
    for (const char *at = prefix; *at && n < 13; at++)
        d[5 + n++] = (uint8_t)*at;
    for (const char *at = name; *at && n < 13; at++)
        d[5 + n++] = (uint8_t)(*at == '_' ? ' ' : *at >= 'a' && *at <= 'z' ? *at - 32 : *at);
    if (n < 13)
        d[5 + n] = '\n';
}

static uint32_t line_khz(const AccelDisplayMode *m)
{
    return m->clock_khz / (m->width + m->hfp + m->hsw + m->hbp);
}

static void range_limits(const struct monitor *screen, uint8_t *d)
{
    uint32_t low = UINT32_MAX, high = 0, clock = 0;
    for (uint32_t i = 0; i < screen->mode_count; i++) {
        const AccelDisplayMode *m = &screen->modes[i];
        low = line_khz(m) < low ? line_khz(m) : low;
        high = line_khz(m) + 1 > high ? line_khz(m) + 1 : high;
        clock = m->clock_khz > clock ? m->clock_khz : clock;
    }
    d[3] = 0xfd;
    d[5] = (uint8_t)(screen->vrr_min_millihz / 1000);
    d[6] = (uint8_t)(screen->vrr_max_millihz / 1000);
    d[7] = (uint8_t)low;
    d[8] = (uint8_t)high;
    d[9] = (uint8_t)((clock + 9999) / 10000);
    d[10] = 1; /* limits alone, no formula for timings */
    d[11] = '\n';
    memset(d + 12, ' ', 6);
}

/* Modes that are named, not described: established timings (bytes 35 to 37), else standard timings of 60 Hz (38 to 53). */
static void named(const struct monitor *screen, uint8_t *e)
{
    memset(e + 38, 1, 16);
    uint32_t standard = 38;
    for (uint32_t i = screen->detailed; i < screen->mode_count; i++) {
        const AccelDisplayMode *m = &screen->modes[i];
        if (m->width == 640)
            e[35] |= 0x20;
        else if (m->width == 800)
            e[35] |= 0x01;
        else if (m->width == 1024)
            e[36] |= 0x08;
        else {
            e[standard++] = (uint8_t)(m->width / 8 - 31);
            e[standard++] = 0xc0; /* 16:9, 60 Hz */
        }
    }
}

static uint8_t input(AccelConnectorType type)
{
    switch (type) {
    case ACCEL_CONNECTOR_VGA:
        return 0x08; /* analog, separate sync */
    case ACCEL_CONNECTOR_DVI:
        return 0xa1; /* digital, 8 bits a colour, DVI */
    case ACCEL_CONNECTOR_HDMI:
        return 0xa2;
    case ACCEL_CONNECTOR_DISPLAYPORT:
    case ACCEL_CONNECTOR_EDP:
        return 0xa5;
    default:
        return 0xa0;
    }
}

void edid_write(const struct monitor *m, AccelConnectorType type, uint8_t *e)
{
    static const uint8_t header[8] = {0, 255, 255, 255, 255, 255, 255, 0};
    static const uint8_t srgb[10] = {0xee, 0x91, 0xa3, 0x54, 0x4c, 0x99, 0x26, 0x0f, 0x50, 0x54};
    memset(e, 0, ISLE_EDID_BLOCK);
    memcpy(e, header, sizeof header);
    uint32_t maker = ('I' - 64) << 10 | ('S' - 64) << 5 | ('L' - 64);
    e[8] = (uint8_t)(maker >> 8);
    e[9] = (uint8_t)maker;
    put16(e + 10, m->product);
    e[12] = (uint8_t)m->product;
    e[16] = 0xff; /* the year is that of the model */
    e[17] = 2026 - 1990;
    e[18] = 1;
    e[19] = 4;
    e[20] = input(type);
    e[21] = (uint8_t)(m->width_mm / 10);
    e[22] = (uint8_t)(m->height_mm / 10);
    e[23] = 120; /* gamma 2.2 */
    e[24] = (uint8_t)(0x06 | (m->vrr_max_millihz ? 1 : 0)); /* sRGB; the preferred timing is native; continuous frequency */
    memcpy(e + 25, srgb, sizeof srgb);
    named(m, e);
    uint8_t *d = e + 54;
    for (uint32_t i = 0; i < m->detailed; i++, d += DESCRIPTOR)
        detailed(m, &m->modes[i], d);
    text(0xfc, "ISLE ", m->name, d);
    d += DESCRIPTOR;
    if (m->vrr_max_millihz) {
        range_limits(m, d);
        d += DESCRIPTOR;
    }
    for (; d < e + 126; d += DESCRIPTOR)
        d[3] = 0x10; /* unused */
    uint8_t sum = 0;
    for (uint32_t i = 0; i < 127; i++)
        sum = (uint8_t)(sum + e[i]);
    e[127] = (uint8_t)(256 - sum);
}
