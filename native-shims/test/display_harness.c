#include "display_harness.h"

struct core core;
static uint8_t *heap;

int open_display(const char *settings)
{
    core_make(&core);
    int rc = core_load(&core, "libtestdisplay.so");
    rc = rc ? rc : core_open(&core, settings);
    rc = rc ? rc : core_heap(&core, 16, TEST_HEAP, &heap);
    return rc ? rc : core_context(&core, CONTEXT, 16, NULL);
}

void close_display(void)
{
    core_unload(&core);
    core_free(&core);
}

int ask(uint32_t op, uint32_t connector)
{
    return core_call(&core, op, &connector, sizeof connector);
}

int put(uint32_t op, uint32_t connector, uint32_t value)
{
    isle_connector_value q = {connector, value};
    return core_call(&core, op, &q, sizeof q);
}

AccelDisplayMode mode(uint32_t connector, uint32_t index)
{
    AccelDisplayMode m = {0};
    if (!ask(ISLE_OP_MODES, connector) && core_body_length(&core) >= (index + 1) * sizeof m)
        memcpy(&m, (const uint8_t *)core_body(&core) + index * sizeof m, sizeof m);
    return m;
}

int set(uint32_t connector, const AccelDisplayMode *m)
{
    isle_mode_request q = {.connector = connector, .mode = *m};
    return core_call(&core, ISLE_OP_SET_MODE, &q, sizeof q);
}

isle_scanout_status status(uint32_t connector)
{
    isle_scanout_status s = {.dpms = 99};
    if (!ask(ISLE_OP_SCANOUT_STATUS, connector))
        memcpy(&s, core_body(&core), sizeof s);
    return s;
}

AccelConnectorInfo connector(uint32_t id)
{
    AccelConnectorInfo c = {0};
    if (!core_call(&core, ISLE_OP_CONNECTORS, NULL, 0) && id * sizeof c <= core_body_length(&core))
        memcpy(&c, (const uint8_t *)core_body(&core) + (id - 1) * sizeof c, sizeof c);
    return c;
}

int frame(uint32_t i, uint32_t width, uint32_t height, uint32_t format, uint8_t **pixels)
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

int64_t flip(uint32_t connector_id, uint32_t i)
{
    isle_flip_request q = {.framebuffer = FRAME(i), .connector = connector_id};
    uint64_t point;
    int rc = core_call(&core, ISLE_OP_PAGE_FLIP, &q, sizeof q);
    memcpy(&point, core_body(&core), sizeof point);
    return rc ? rc : (int64_t)point;
}

isle_scanout_status shown(uint32_t connector_id, uint64_t point)
{
    isle_scanout_status s = status(connector_id);
    while (s.point < point && s.dpms != 99)
        s = status(connector_id);
    return s;
}

uint32_t pixel(uint32_t connector_id, uint32_t x, uint32_t y)
{
    isle_scanout_request q = {.connector = connector_id, .first_line = y, .line_count = 1};
    uint32_t v = 0xdeadbeef;
    if (!core_call(&core, ISLE_OP_SCANOUT_READ, &q, sizeof q))
        memcpy(&v, (const uint8_t *)core_body(&core) + sizeof(isle_scanout_part) + 4 * x, 4);
    return v;
}

int hotplug(uint32_t connector_id, uint64_t after, uint64_t count)
{
    isle_inject_request q = {.fault = ISLE_FAULT_HOTPLUG, .after = after, .count = count, .value = connector_id};
    return core_call(&core, ISLE_OP_INJECT_FAULT, &q, sizeof q);
}
