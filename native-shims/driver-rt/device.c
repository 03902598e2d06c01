#include "rt.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void copy_text(char *to, size_t size, const char *from)
{
    snprintf(to, size, "%s", from ? from : "");
}

int64_t device_hello(isle_rt *rt, uint8_t *out, uint32_t size)
{
    const isle_driver *d = rt->driver;
    uint64_t need = sizeof(isle_hello) + (uint64_t)d->setting_count * sizeof(isle_setting_text);
    if (need > size)
        return -EMSGSIZE;
    isle_hello hello = {.kabi_version = d->kabi_version, .flags = d->flags, .setting_count = d->setting_count};
    memcpy(hello.name, d->name, strnlen(d->name, sizeof hello.name));
    copy_text(hello.version, sizeof hello.version, d->version);
    memcpy(out, &hello, sizeof hello);
    for (uint32_t i = 0; i < d->setting_count; i++) {
        const isle_setting *s = &d->settings[i];
        isle_setting_text t = {.type = s->type, .min = s->min, .max = s->max};
        copy_text(t.key, sizeof t.key, s->key);
        copy_text(t.choices, sizeof t.choices, s->choices);
        copy_text(t.default_value, sizeof t.default_value, s->default_value);
        copy_text(t.help, sizeof t.help, s->help);
        memcpy(out + sizeof hello + i * sizeof t, &t, sizeof t);
    }
    return (int64_t)need;
}

/* `text` gets a NUL after every key and value; the pairs point into it. */
static IoResultCode parse_values(const uint8_t *at, uint64_t left, uint32_t count, char *text, isle_setting_value *pairs)
{
    for (uint32_t i = 0; i < count; i++) {
        uint16_t lengths[2];
        if (left < sizeof lengths)
            return -EINVAL;
        memcpy(lengths, at, sizeof lengths);
        at += sizeof lengths;
        left -= sizeof lengths;
        if (!lengths[0] || left < (uint64_t)lengths[0] + lengths[1] || memchr(at, 0, (size_t)lengths[0] + lengths[1]))
            return -EINVAL;
        for (int part = 0; part < 2; part++) {
            memcpy(text, at, lengths[part]);
            text[lengths[part]] = 0;
            *(part ? &pairs[i].value : &pairs[i].key) = text;
            text += lengths[part] + 1;
            at += lengths[part];
            left -= lengths[part];
        }
    }
    return left ? -EINVAL : 0;
}

static bool seed_ok(const isle_device_seed *s)
{
    return s->name[0] && memchr(s->name, 0, sizeof s->name) && memchr(s->parent, 0, sizeof s->parent) &&
           memchr(s->summary, 0, sizeof s->summary);
}

/* Fetches and negotiates one interface. An absent one is fine unless it is AccelBase. */
static IoResultCode interface(isle_rt *rt, const struct vtable_spec *spec, void *copy, isle_open_response *out, char *why,
                              uint32_t why_size)
{
    const void *vtable = NULL;
    isle_negotiated *n = &out->interfaces[out->interface_count];
    memset(copy, 0, spec->size);
    IoResultCode rc = rt->driver->get_interface(rt->device, spec->interface_id, &vtable);
    if (rc == -ENOENT && spec->interface_id != ISLE_IFACE_ACCEL_BASE) {
        *n = (isle_negotiated){.interface_id = spec->interface_id};
    } else if (rc < 0) {
        rt_why(why, why_size, "%s: get_interface failed with %d", spec->name, rc);
        return rc;
    } else if ((rc = negotiate_vtable(spec, vtable, copy, n, why, why_size)) < 0) {
        return rc;
    }
    out->interface_count++;
    return 0;
}

static IoResultCode negotiate_all(isle_rt *rt, isle_open_response *out, char *why, uint32_t why_size)
{
    IoResultCode rc = interface(rt, &spec_base, &rt->base, out, why, why_size);
    if (!rc)
        rc = interface(rt, &spec_compute, &rt->compute, out, why, why_size);
    if (!rc)
        rc = interface(rt, &spec_programs, &rt->programs_vt, out, why, why_size);
    if (!rc)
        rc = interface(rt, &spec_shared_memory, &rt->shared_vt, out, why, why_size);
    if (!rc)
        rc = interface(rt, &spec_power, &rt->power_vt, out, why, why_size);
    if (!rc)
        rc = interface(rt, &spec_health, &rt->health_vt, out, why, why_size);
    if (!rc)
        rc = interface(rt, &spec_page_retirement, &rt->retirement_vt, out, why, why_size);
    if (!rc)
        rc = interface(rt, &spec_display, &rt->display_vt, out, why, why_size);
    if (!rc)
        rc = interface(rt, &spec_scanout, &rt->scanout_vt, out, why, why_size);
    if (!rc)
        rc = interface(rt, &spec_execution, &rt->execution_vt, out, why, why_size);
    if (!rc)
        rc = interface(rt, &spec_hpu, &rt->hpu_vt, out, why, why_size);
    if (!rc)
        rc = interface(rt, &spec_fault_injection, &rt->fault_vt, out, why, why_size);
    return rc;
}

static IoResultCode take_info(isle_rt *rt, isle_open_response *out, char *why, uint32_t why_size)
{
    IoResultCode rc = rt->base.get_info(rt->device, &rt->info);
    if (rc < 0) {
        rt_why(why, why_size, "get_info failed with %d", rc);
        return rc;
    }
    uint32_t max = rt->info.max_cmd_buffer_size;
    if (max < 256 || max > RT_MAX_COMMAND) {
        rt_why(why, why_size, "get_info: max_cmd_buffer_size %u is wrong: 256 to %u is needed", max, RT_MAX_COMMAND);
        return -EINVAL;
    }
    out->info = rt->info;
    rt->completion_mode = rt->driver->flags & ISLE_DRIVER_COMPLETES       ? RT_COMPLETES
                          : rt->base.register_completion_callback != NULL ? RT_CALLBACK
                                                                          : RT_POLLING;
    out->completion_mode = rt->completion_mode;
    out->execution = rt->execution_vt.flags & RT_EXECUTION;
    out->program_kinds = rt->programs_vt.kinds & RT_PROGRAM_KINDS;
    if (rt->completion_mode == RT_CALLBACK && (rc = callbacks_claim(rt)) < 0) {
        rt_why(why, why_size, "too many devices with completion callbacks are open in one process");
        return rc;
    }
    if ((rc = inflight_set_command_size(rt, max & ~7u)) < 0)
        rt_why(why, why_size, "no memory for %u command buffers of %u bytes (max_cmd_buffer_size); raise host_memory_bytes", rt->max_inflight, max);
    return rc;
}

static IoResultCode open_driver(isle_rt *rt, const uint8_t *body, uint32_t length, isle_open_response *out, char *why, uint32_t why_size)
{
    isle_open_request q;
    memcpy(&q, body, sizeof q);
    if (!seed_ok(&q.seed) || q.value_count > length / 5) {
        rt_why(why, why_size, "malformed open request: seed or value_count");
        return -EINVAL;
    }
    char *text = malloc(length + 2u * q.value_count + 1);
    isle_setting_value *pairs = calloc(q.value_count + 1u, sizeof *pairs);
    IoResultCode rc = text && pairs ? parse_values(body + sizeof q, length - sizeof q, q.value_count, text, pairs) : -ENOMEM;
    if (rc)
        rt_why(why, why_size, "malformed open request: settings");
    else if ((rc = rt->driver->open(rt->driver_state, &q.seed, pairs, q.value_count, &rt->core, &rt->device)) < 0)
        rt_why(why, why_size, "open failed with %d", rc);
    free(text);
    free(pairs);
    if (rc < 0)
        return rc;
    memset(out, 0, sizeof *out);
    rc = negotiate_all(rt, out, why, why_size);
    if (!rc)
        rc = take_info(rt, out, why, why_size);
    if (rc < 0) {
        rt->driver->close(rt->device);
        callbacks_release(rt);
        rt->device = NULL;
    }
    return rc;
}

/* What the driver logged itself says more than its code. */
static void add_error(isle_rt *rt, char *why, uint32_t why_size)
{
    size_t n = strlen(why);
    pthread_mutex_lock(&rt->error_lock);
    if (*rt->open_error && n < why_size)
        snprintf(why + n, why_size - n, ": %s", rt->open_error);
    pthread_mutex_unlock(&rt->error_lock);
}

IoResultCode device_open(isle_rt *rt, const uint8_t *body, uint32_t length, isle_open_response *out, char *why, uint32_t why_size)
{
    if (atomic_load(&rt->open))
        return -EBUSY;
    *rt->open_error = 0;
    atomic_store(&rt->opening, true);
    IoResultCode rc = open_driver(rt, body, length, out, why, why_size);
    atomic_store(&rt->opening, false);
    if (rc < 0)
        add_error(rt, why, why_size);
    else
        atomic_store_explicit(&rt->open, true, memory_order_release);
    return rc < 0 ? rc : 0;
}

IoResultCode device_close(isle_rt *rt)
{
    if (!atomic_load(&rt->open))
        return -ENODEV;
    atomic_store(&rt->open, false);
    lane_quiesce(rt);
    IoResultCode rc = rt->driver->close(rt->device);
    rt->device = NULL;
    if (inflight_fail(rt, 0, -ISLE_ECLOSED) && rt->completion_mode == RT_COMPLETES)
        rt_violation(rt);
    callbacks_release(rt);
    rt->polled_count = 0;
    while (rt->context_list)
        context_unlink(rt, rt->context_list->id, false);
    table_remove_owned(&rt->memories, 0);
    table_remove_owned(&rt->framebuffers, 0);
    memset(rt->flips, 0, sizeof rt->flips);
    table_remove_owned(&rt->programs, 0);
    table_remove_owned(&rt->contexts, 0);
    return rc;
}
