/*
 * A display in software on top of the software accelerator: connectors with screens, frames by the clock, framebuffers in device memory.
 *
 * Nothing runs in the background: what frames have begun since the last look is computed from the clock, so all of it lives on the
 * control lane and needs no lock.
 */
#ifndef ISLE_TESTDISPLAY_H
#define ISLE_TESTDISPLAY_H

#include "../softaccel/settings.h"
#include "../softaccel/soft.h"

#define DISPLAY_CONNECTORS 8u
#define DISPLAY_MODES 8u
#define DISPLAY_FRAMEBUFFERS 256u

/* ---- monitors.c ---- */
struct monitor {
    const char *name;           /* in settings, and in capitals in the EDID */
    AccelDisplayMode modes[DISPLAY_MODES];
    uint32_t mode_count;        /* the first is preferred */
    uint32_t detailed;          /* of them, at the front, stand in the EDID with their timings, the others by their names */
    uint32_t vrr_min_millihz, vrr_max_millihz; /* 0: fixed rates only */
    uint16_t width_mm, height_mm;
    uint16_t product;
};
/* NULL: none of this name; the length of the name may be a part of a longer text. */
const struct monitor *monitor_named(const char *name, size_t length);
/* The one with a number; NULL past the last. */
const struct monitor *monitor_at(uint32_t index);
/* Pixels of a frame, blanking included. */
uint64_t mode_total(const AccelDisplayMode *m);
void monitor_mode(const struct monitor *m, uint32_t index, AccelDisplayMode *out);

/* ---- edid.c ---- */
/* EDID 1.4 of a monitor at a connector of the type; ISLE_EDID_BLOCK bytes. */
void edid_write(const struct monitor *m, AccelConnectorType type, uint8_t *out);

/* ---- clock.c ---- */
/* Frames of one connector. While it sends none, `clock_khz` is 0. */
struct frames {
    uint64_t base_ns;   /* when frame 0 of this run began */
    uint64_t base;      /* frames begun before it */
    uint64_t total;     /* pixels a frame: a frame takes total / clock_khz ms */
    uint32_t clock_khz;
    uint64_t longest_ns; /* variable rate: a frame lasts at most this long; 0: a fixed rate */
};
bool frames_run(const struct frames *f);
/* When frame n of this run begins. */
uint64_t frames_at(const struct frames *f, uint64_t n);
/* Number of the newest frame that began at or before `now`, which is not before base_ns. */
uint64_t frames_newest(const struct frames *f, uint64_t now);
/* When a flip that was asked for at `since` is shown. */
uint64_t frames_flip_at(const struct frames *f, uint64_t since);
/* Begins a run at `now`, or ends it with clock_khz 0; frames so far stay counted. */
void frames_restart(struct frames *f, uint64_t now, uint64_t total, uint32_t clock_khz, uint64_t longest_ns);

struct framebuffer {
    AccelFramebufferHandle handle; /* generation << 32 | index + 1; 0: free */
    uint32_t generation;
    AccelMemHandle memory;
    uint32_t width, height, format;
};

struct cursor {
    uint32_t width, height, x, y; /* 0 x 0: none */
    uint32_t pixels[ISLE_CURSOR_MAX * ISLE_CURSOR_MAX];
};

struct connector {
    AccelConnectorType type;
    const struct monitor *monitor; /* what hangs on its cable, plugged in or not */
    bool connected, active, vrr;
    uint32_t hotplugs;
    AccelDisplayMode mode;
    AccelDpmsState dpms;
    struct frames frames;
    uint64_t asked, signalled; /* points */
    uint64_t asked_ns, flip_ns;
    AccelFramebufferHandle pending, shown; /* 0: none */
    struct cursor cursor;
};

struct display {
    struct device soft; /* first: the accelerator's entries get the same pointer */
    uint32_t connector_count;
    struct connector connectors[DISPLAY_CONNECTORS];
    struct framebuffer framebuffers[DISPLAY_FRAMEBUFFERS];
};

/* ---- settings.c ---- */
#define DISPLAY_SETTINGS (SOFT_SETTINGS + 1)
extern isle_setting display_settings[DISPLAY_SETTINGS];
/* Fills the list; any number of times, from any thread. */
void display_settings_collect(void);
IoResultCode display_settings_parse(struct settings *soft, struct display *connectors, const isle_setting_value *values, uint32_t count,
                                    const isle_core *core);

/* ---- connectors.c ---- */
/* Brings the connector up to now; NULL for an unknown one. Ids are 1, 2, ... */
struct connector *connector_of(struct display *d, uint32_t id, uint64_t now);
IoResultCode display_get_connectors(void *ctx, AccelConnectorInfo *out, uint32_t max, uint32_t *count);
IoResultCode display_get_modes(void *ctx, uint32_t id, AccelDisplayMode *out, uint32_t max, uint32_t *count);
IoResultCode display_get_hotplug_status(void *ctx, uint32_t id, uint8_t *out);
IoResultCode display_read_edid(void *ctx, uint32_t id, uint8_t *out, uint32_t max, uint32_t *size);
IoResultCode display_hotplug(struct display *d, uint32_t id, uint64_t times);

/* ---- modeset.c ---- */
IoResultCode display_set_mode(void *ctx, uint32_t id, const AccelDisplayMode *mode);
IoResultCode display_set_dpms(void *ctx, uint32_t id, AccelDpmsState state);
IoResultCode display_set_vrr(void *ctx, uint32_t id, uint8_t enabled);
IoResultCode display_set_cursor(void *ctx, uint32_t id, const uint8_t *image, uint32_t width, uint32_t height, uint32_t x, uint32_t y);
/* Starts or stops frames as the connector's state asks for; a flip that is pending is signalled. */
void connector_restart(struct connector *c, uint64_t now);

/* ---- framebuffers.c ---- */
IoResultCode display_create_framebuffer(void *ctx, AccelMemHandle memory, uint32_t width, uint32_t height, uint32_t format,
                                        AccelFramebufferHandle *out);
/* NULL when it is gone, or its memory is. */
const struct framebuffer *framebuffer_of(struct display *d, AccelFramebufferHandle handle);
IoResultCode display_page_flip(void *ctx, uint32_t id, AccelFramebufferHandle fb, AccelFence *out);

/* ---- scanout.c ---- */
IoResultCode display_status(void *ctx, uint32_t id, isle_scanout_status *out);
IoResultCode display_read(void *ctx, uint32_t id, uint32_t first, uint32_t count, uint8_t *out, uint32_t size, uint32_t *lines,
                          uint64_t *point);

#endif
