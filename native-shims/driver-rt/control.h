/* One control message on its way through the runtime. */
#ifndef ISLE_RT_CONTROL_H
#define ISLE_RT_CONTROL_H

#include <string.h>

#include "rt.h"

struct call {
    isle_rt *rt;
    const uint8_t *body;
    uint32_t length;
    uint8_t *out; /* the response's body */
    uint32_t out_size;
    uint32_t out_length; /* set by handlers whose response is longer than `reply` of the table */
};

static inline uint32_t call_u32(const struct call *c)
{
    uint32_t v;
    memcpy(&v, c->body, sizeof v);
    return v;
}

static inline uint64_t call_u64(const struct call *c)
{
    uint64_t v;
    memcpy(&v, c->body, sizeof v);
    return v;
}

/* queries.c: what the device says about itself, and its switches */
IoResultCode control_builtin(struct call *c);
IoResultCode control_info(struct call *c);
IoResultCode control_utilization(struct call *c);
IoResultCode control_power(struct call *c);
IoResultCode control_set_perf_level(struct call *c);
IoResultCode control_compute_caps(struct call *c);
IoResultCode control_perf_counters(struct call *c);
IoResultCode control_inject_fault(struct call *c);
IoResultCode control_power_states(struct call *c);
IoResultCode control_set_power(struct call *c);
IoResultCode control_health(struct call *c);

/* programs.c */
IoResultCode control_load_program(struct call *c);
IoResultCode control_load_files(struct call *c);
IoResultCode control_unload_program(struct call *c);
IoResultCode control_describe_program(struct call *c);
IoResultCode control_describe_kernel(struct call *c);

/* pages.c */
IoResultCode control_faulty_page(struct call *c);
IoResultCode control_retire_pages(struct call *c);
IoResultCode control_retired_pages(struct call *c);
IoResultCode control_migrate_pages(struct call *c);

/* hpu.c */
IoResultCode control_hpu_caps(struct call *c);
IoResultCode control_hpu_attach(struct call *c);
IoResultCode control_hpu_detach(struct call *c);
IoResultCode control_hpu_report(struct call *c);

/* display.c */
IoResultCode control_set_mode(struct call *c);
IoResultCode control_create_framebuffer(struct call *c);
IoResultCode control_page_flip(struct call *c);
IoResultCode control_set_dpms(struct call *c);
IoResultCode control_set_cursor(struct call *c);
IoResultCode control_set_vrr(struct call *c);

/* screens.c: what connectors and screens say about themselves */
IoResultCode control_connectors(struct call *c);
IoResultCode control_modes(struct call *c);
IoResultCode control_hotplug_status(struct call *c);
IoResultCode control_edid(struct call *c);
IoResultCode control_scanout_status(struct call *c);
IoResultCode control_scanout_read(struct call *c);
/* Whether a mode is one that a screen can have. */
bool mode_ok(const AccelDisplayMode *mode);

#endif
