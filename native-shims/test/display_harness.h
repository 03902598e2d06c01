/* The display in software, opened through driver-rt, as its tests use it. */
#ifndef ISLE_DISPLAY_HARNESS_H
#define ISLE_DISPLAY_HARNESS_H

#include "harness.h"

#define CONTEXT core_id(ISLE_KIND_CONTEXT, 1, 1)
#define MEMORY(i) core_id(ISLE_KIND_MEMORY, 1, i)
#define FRAME(i) core_id(ISLE_KIND_FRAMEBUFFER, 1, i)
#define W 800u
#define H 600u

extern struct core core;

int open_display(const char *settings);
void close_display(void);
int ask(uint32_t op, uint32_t connector);
int put(uint32_t op, uint32_t connector, uint32_t value);
AccelDisplayMode mode(uint32_t connector, uint32_t index);
int set(uint32_t connector, const AccelDisplayMode *m);
isle_scanout_status status(uint32_t connector);
AccelConnectorInfo connector(uint32_t id);
int frame(uint32_t i, uint32_t width, uint32_t height, uint32_t format, uint8_t **pixels);
/* The point, or a negative code. */
int64_t flip(uint32_t connector_id, uint32_t i);
/* Asks until the point is signalled; the test's alarm bounds it. */
isle_scanout_status shown(uint32_t connector_id, uint64_t point);
uint32_t pixel(uint32_t connector_id, uint32_t x, uint32_t y);
int hotplug(uint32_t connector_id, uint64_t after, uint64_t count);

#endif
