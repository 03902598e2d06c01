/* Interface ISLE_IFACE_HPU. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "device.h"

enum { RINGS, PACKETS, HANDLER, SCRATCHPADS, HOST_DATA, HOST };

static IoResultCode caps(void *ctx, isle_hpu_caps *out)
{
    const struct settings *s = &((struct device *)ctx)->settings;
    *out = (isle_hpu_caps){.version = ISLE_SPIN_VERSION,
                           .clusters = ISLE_SPIN_CLUSTERS,
                           .cores = ISLE_SPIN_CORES,
                           .queues = ISLE_SPIN_QUEUES,
                           .program_bytes = s->program_bytes,
                           .frame_bytes = ISLE_SPIN_FRAME,
                           .hpu_mhz = s->hpu_mhz,
                           .handler_limit_us = s->handler_limit_us,
                           .host_wait_ms = s->host_wait_ms,
                           .trap_limit = s->trap_limit,
                           .hpu_spin_us = s->hpu_spin_us};
    return 0;
}

/* Its signals are blocked, or it is in the kernel for good: nothing but the end of the process ends it. */
static void stuck(void *argument, uint32_t hpu)
{
    const struct device *d = argument;
    kit_log(d->core, ISLE_LOG_ERROR, "HPU %u has not left its handler for 250 ms after its time: the process ends", hpu);
    abort();
}

__attribute__((format(printf, 3, 4))) static IoResultCode refuse(char *why, uint64_t size, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    if (why && size)
        vsnprintf(why, size, format, values);
    va_end(values);
    return -EINVAL;
}

static IoResultCode check_limits(const struct settings *s, const isle_hpu_limits *l, char *why, uint64_t size)
{
    if (!l->handler_limit_us || l->handler_limit_us > s->handler_limit_us)
        return refuse(why, size, "handler_limit_us is %u: 1 to %u, the device's", l->handler_limit_us, s->handler_limit_us);
    if (l->host_wait_ms > s->host_wait_ms)
        return refuse(why, size, "host_wait_ms is %u: at most %u, the device's", l->host_wait_ms, s->host_wait_ms);
    return 0;
}

static IoResultCode attach(void *ctx, AccelContextHandle context, isle_program_handle program, const AccelMemHandle memories[ISLE_HPU_MEMORIES],
                           const isle_hpu_limits *limits, char *why, uint64_t why_size)
{
    struct device *d = ctx;
    struct context *c = context_of(d, context);
    struct object *p = object_of(d, program, OBJECT_PROGRAM), *m[ISLE_HPU_MEMORIES] = {NULL};
    char text[SPIN_WHY] = "";
    if (!c || !p)
        return -ESTALE;
    if (c->hpus)
        return -EBUSY;
    IoResultCode rc = check_limits(&d->settings, limits, why, why_size);
    if (rc)
        return rc;
    struct spin_attach how = {.image = p->image,
                              .image_size = p->size,
                              .program_bytes = (uint32_t)d->settings.program_bytes,
                              .limits = {.handler_limit_us = limits->handler_limit_us,
                                         .host_wait_ms = limits->host_wait_ms,
                                         .trap_limit = limits->trap_limit,
                                         .hpu_mhz = d->settings.hpu_mhz,
                                         .hpu_spin_us = limits->hpu_spin_us},
                              .stuck = stuck,
                              .argument = d};
    struct spin_memory *to[ISLE_HPU_MEMORIES] = {
        [RINGS] = &how.rings,         [PACKETS] = &how.packets,     [HANDLER] = &how.handler, [SCRATCHPADS] = &how.scratchpads,
        [HOST_DATA] = &how.host_data, [HOST] = &how.host};
    for (uint32_t i = 0; i < ISLE_HPU_MEMORIES; i++) {
        if (!memories[i])
            continue;
        m[i] = object_of(d, memories[i], OBJECT_MEMORY);
        if (!m[i] || m[i]->context != context)
            return -ESTALE;
        for (uint32_t k = 0; k < i; k++)
            if (m[k] == m[i])
                return refuse(why, why_size, "memories %u and %u are the same", k, i);
        *to[i] = (struct spin_memory){m[i]->where.pointer, m[i]->size};
    }
    rc = spin_attach(&how, &c->hpus, text);
    if (rc && why && why_size)
        snprintf(why, why_size, "%s", text);
    for (uint32_t i = 0; !rc && i < ISLE_HPU_MEMORIES; i++)
        if (m[i])
            m[i]->attached = true;
    return rc;
}

static IoResultCode detach(void *ctx, AccelContextHandle context)
{
    struct device *d = ctx;
    struct context *c = context_of(d, context);
    if (!c)
        return -ESTALE;
    if (!c->hpus)
        return -ENOENT;
    context_stop(d, c);
    return 0;
}

/* Counters are the HPUs' own; nothing else writes them. */
static void fill(struct spin_context *hpus, isle_hpu_report *out)
{
    const isle_spin_rings *r = spin_rings(hpus);
    struct spin_trap t = spin_newest_trap(hpus);
    *out = (isle_hpu_report){.attached = 1,
                             .handlers = spin_handlers(hpus),
                             .stopped = __atomic_load_n(&r->stopped, __ATOMIC_ACQUIRE),
                             .cause = t.cause,
                             .handler = t.handler,
                             .hpu = t.hpu,
                             .instruction = t.instruction,
                             .address = t.address,
                             .tasks = __atomic_load_n(&r->counters.tasks, __ATOMIC_RELAXED),
                             .traps = __atomic_load_n(&r->counters.traps, __ATOMIC_RELAXED),
                             .refused = __atomic_load_n(&r->counters.refused, __ATOMIC_RELAXED)};
}

static IoResultCode report(void *ctx, AccelContextHandle context, isle_hpu_report *out)
{
    struct context *c = context_of(ctx, context);
    if (!c)
        return -ESTALE;
    *out = (isle_hpu_report){0};
    if (c->hpus)
        fill(c->hpus, out);
    return 0;
}

const isle_hpu_vtable spin_hpu = {
    .vtable_size = sizeof spin_hpu, .version = ISLE_KABI_VERSION, .caps = caps, .attach = attach, .detach = detach, .report = report};
