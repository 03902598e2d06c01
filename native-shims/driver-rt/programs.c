/* Programs: where the core put source and options, and what the driver makes of them. */
#include <errno.h>
#include <stdio.h>

#include "control.h"
#include "describe.h"
#include "sources.h"

struct source {
    const uint8_t *bytes;
    char options[ISLE_OPTIONS_MAX + 1];
};

/* Nothing is believed: lengths must add up to the message, and a source outside of it must lie in its segment. */
static IoResultCode find_source(const struct call *c, const isle_load_request *q, struct source *out)
{
    uint64_t follows = c->length - sizeof *q;
    const uint8_t *at = c->body + sizeof *q;
    if (q->length > ISLE_SOURCE_MAX || q->options_length > ISLE_OPTIONS_MAX)
        return -EMSGSIZE;
    if (!q->length || follows != (uint64_t)q->options_length + (q->segment ? 0 : q->length))
        return -EINVAL;
    if (memchr(at, 0, q->options_length))
        return -EINVAL;
    memcpy(out->options, at, q->options_length);
    out->options[q->options_length] = 0;
    out->bytes = at + q->options_length;
    if (!q->segment)
        return 0;
    struct segment *s = q->segment == ISLE_SEGMENT_SOURCE ? segment_find(c->rt, q->segment) : NULL;
    if (!s || q->length > s->size)
        return -EINVAL;
    out->bytes = s->pointer;
    return 0;
}

static IoResultCode build(isle_rt *rt, const isle_load_request *q, const struct source *source, AccelContextHandle context, char *log,
                          isle_program_handle *out)
{
    const isle_programs_vtable *vt = &rt->programs_vt;
    if (!q->options_length)
        return vt->load(rt->device, context, q->kind, source->bytes, q->length, log, ISLE_BUILD_LOG_MAX, out);
    if (vt->build)
        return vt->build(rt->device, context, q->kind, source->bytes, q->length, source->options, log, ISLE_BUILD_LOG_MAX, out);
    snprintf(log, ISLE_BUILD_LOG_MAX, "the driver takes no build options");
    return IO_NOT_SUPPORTED;
}

/* Before a driver is asked: the context's handle, and no program of that id yet. */
static IoResultCode find_context(isle_rt *rt, uint64_t context, uint64_t program, struct object_view *out)
{
    IoResultCode rc = table_get(&rt->contexts, context, out);
    return rc ? rc : table_check_free(&rt->programs, program);
}

/* Gives what a driver loaded the id of the core. */
static IoResultCode keep(isle_rt *rt, uint64_t context, uint64_t program, isle_program_handle handle)
{
    IoResultCode rc = tenant_checked(rt, handle);
    if (!rc)
        rc = table_put(&rt->programs, program, &(struct object_view){.handle = handle, .owner = context});
    if (rc && handle)
        rt->programs_vt.unload(rt->device, handle);
    return rc;
}

static IoResultCode load(isle_rt *rt, const isle_load_request *q, const struct source *source, char *log)
{
    struct object_view view;
    if (!rt->programs_vt.load)
        return IO_NOT_SUPPORTED;
    IoResultCode rc = find_context(rt, q->context, q->program, &view);
    if (rc)
        return rc;
    if (q->kind < ISLE_PROGRAM_BUILTIN || q->kind > ISLE_PROGRAM_HANDLERS)
        return -EINVAL;
    if (!(rt->programs_vt.kinds >> q->kind & 1))
        return IO_NOT_SUPPORTED;
    isle_program_handle handle = 0;
    rc = build(rt, q, source, view.handle, log, &handle);
    return rc < 0 ? rc : keep(rt, q->context, q->program, handle);
}

static void answer_with_log(struct call *c, const char *log)
{
    isle_load_response r = {.log_length = (uint32_t)strnlen(log, ISLE_BUILD_LOG_MAX - 1)};
    memcpy(c->out, &r, sizeof r);
    memcpy(c->out + sizeof r, log, r.log_length);
    c->out_length = (uint32_t)sizeof r + r.log_length;
}

IoResultCode control_load_program(struct call *c)
{
    isle_load_request q;
    struct source source;
    char log[ISLE_BUILD_LOG_MAX] = "";
    memcpy(&q, c->body, sizeof q);
    IoResultCode rc = find_source(c, &q, &source);
    if (rc) {
        rt_violation(c->rt);
        return rc;
    }
    rc = load(c->rt, &q, &source, log);
    answer_with_log(c, log);
    return rc;
}

static IoResultCode load_files(isle_rt *rt, const isle_files_request *q, const struct sources *sources, char *log)
{
    const isle_programs_vtable *vt = &rt->programs_vt;
    struct object_view view;
    if (!vt->sources || !(vt->kinds >> ISLE_PROGRAM_OPENCL_C & 1))
        return IO_NOT_SUPPORTED;
    IoResultCode rc = find_context(rt, q->context, q->program, &view);
    if (rc)
        return rc;
    isle_program_handle handle = 0;
    rc = vt->sources(rt->device, view.handle, sources->files, q->file_count, sources->files + q->file_count, q->header_count,
                     sources->options, log, ISLE_BUILD_LOG_MAX, &handle);
    return rc < 0 ? rc : keep(rt, q->context, q->program, handle);
}

IoResultCode control_load_files(struct call *c)
{
    isle_files_request q;
    struct sources sources;
    char log[ISLE_BUILD_LOG_MAX] = "";
    memcpy(&q, c->body, sizeof q);
    IoResultCode rc = sources_find(c, &q, &sources);
    if (rc) {
        rt_violation(c->rt);
        return rc;
    }
    rc = load_files(c->rt, &q, &sources, log);
    answer_with_log(c, log);
    return rc;
}

IoResultCode control_unload_program(struct call *c)
{
    struct object_view view;
    uint64_t id = call_u64(c);
    IoResultCode rc = table_get(&c->rt->programs, id, &view);
    if (rc)
        return rc;
    rc = c->rt->programs_vt.unload(c->rt->device, view.handle);
    if (rc >= 0)
        table_remove(&c->rt->programs, id);
    return rc;
}

IoResultCode control_describe_program(struct call *c)
{
    isle_describe_request q;
    struct object_view view;
    memcpy(&q, c->body, sizeof q);
    IoResultCode rc = table_get(&c->rt->programs, q.program, &view);
    return rc ? rc : c->rt->programs_vt.describe(c->rt->device, view.handle, q.entry, (isle_program_entry *)(void *)c->out);
}

IoResultCode control_describe_kernel(struct call *c)
{
    isle_rt *rt = c->rt;
    isle_describe_request q;
    isle_kernel k = {.entry = 0};
    struct object_view view;
    char why[128];
    if (!rt->programs_vt.kernel)
        return IO_NOT_SUPPORTED;
    memcpy(&q, c->body, sizeof q);
    IoResultCode rc = table_get(&rt->programs, q.program, &view);
    if (!rc)
        rc = rt->programs_vt.kernel(rt->device, view.handle, q.entry, &k);
    if (rc < 0)
        return rc;
    if (!kernel_ok(&k, q.entry, why, sizeof why)) {
        rt_log(rt, ISLE_LOG_ERROR, why);
        return -EPROTO;
    }
    memcpy(c->out, &k, sizeof k);
    return 0;
}
