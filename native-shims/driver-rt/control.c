#include "control.h"

#include <errno.h>
#include <string.h>

static IoResultCode hello(struct call *c)
{
    int64_t n = device_hello(c->rt, c->out, c->out_size);
    if (n < 0)
        return (IoResultCode)n;
    c->out_length = (uint32_t)n;
    return 0;
}

static IoResultCode probe(struct call *c)
{
    isle_device_seed seed = {.name = ""};
    uint32_t index = call_u32(c);
    IoResultCode rc = c->rt->driver->probe(c->rt->driver_state, index, &seed);
    if (rc >= 0) {
        memcpy(c->out, &seed, sizeof seed);
    } else if (rc == -ENOENT && !index) {
        c->out_length = (uint32_t)strnlen(seed.summary, sizeof seed.summary);
        memcpy(c->out, seed.summary, c->out_length);
    }
    return rc;
}

static IoResultCode open_device(struct call *c)
{
    isle_open_response r;
    char why[512] = "";
    IoResultCode rc = device_open(c->rt, c->body, c->length, &r, why, sizeof why);
    if (rc < 0) {
        c->out_length = (uint32_t)strlen(why);
        memcpy(c->out, why, c->out_length);
        return rc;
    }
    memcpy(c->out, &r, sizeof r);
    return 0;
}

/* In process the core calls isle_rt_add_segment itself, and the host answers this one. */
static IoResultCode add_segment(struct call *c)
{
    (void)c;
    return IO_NOT_SUPPORTED;
}

static IoResultCode remove_segment(struct call *c)
{
    return segment_remove(c->rt, call_u32(c));
}

static IoResultCode create_context(struct call *c)
{
    isle_create_context q;
    memcpy(&q, c->body, sizeof q);
    return tenant_create_context(c->rt, &q);
}

static IoResultCode destroy_context(struct call *c)
{
    return tenant_destroy_context(c->rt, call_u64(c));
}

static IoResultCode reset_context(struct call *c)
{
    return tenant_reset_context(c->rt, call_u64(c));
}

static IoResultCode reset_device(struct call *c)
{
    return tenant_reset_device(c->rt);
}

static IoResultCode alloc(struct call *c)
{
    isle_alloc_request q;
    isle_alloc_response r = {0};
    memcpy(&q, c->body, sizeof q);
    IoResultCode rc = tenant_alloc(c->rt, &q, &r);
    memcpy(c->out, &r, sizeof r);
    return rc;
}

static IoResultCode free_memory(struct call *c)
{
    return tenant_free(c->rt, call_u64(c));
}

static IoResultCode close_device(struct call *c)
{
    return device_close(c->rt);
}

/* The host leaves after it has answered; in process isle_rt_unload follows. */
static IoResultCode leave(struct call *c)
{
    return atomic_load(&c->rt->open) ? device_close(c->rt) : 0;
}

static const struct {
    IoResultCode (*handle)(struct call *c);
    uint32_t size;  /* of the body */
    uint32_t reply; /* of the response's body on success */
    bool longer;    /* the body may be longer than `size` */
    bool open;      /* needs an open device */
} ops[] = {
    [ISLE_OP_HELLO] = {hello, 0, 0, false, false},
    [ISLE_OP_PROBE] = {probe, 4, sizeof(isle_device_seed), false, false},
    [ISLE_OP_OPEN] = {open_device, sizeof(isle_open_request), sizeof(isle_open_response), true, false},
    [ISLE_OP_ADD_SEGMENT] = {add_segment, sizeof(isle_segment_request), 0, false, false},
    [ISLE_OP_REMOVE_SEGMENT] = {remove_segment, 4, 0, false, false},
    [ISLE_OP_CREATE_CONTEXT] = {create_context, sizeof(isle_create_context), 0, false, true},
    [ISLE_OP_DESTROY_CONTEXT] = {destroy_context, 8, 0, false, true},
    [ISLE_OP_RESET_CONTEXT] = {reset_context, 8, 0, false, true},
    [ISLE_OP_RESET_DEVICE] = {reset_device, 0, 0, false, true},
    [ISLE_OP_ALLOC] = {alloc, sizeof(isle_alloc_request), sizeof(isle_alloc_response), false, true},
    [ISLE_OP_FREE] = {free_memory, 8, 0, false, true},
    [ISLE_OP_LOAD_PROGRAM] = {control_load_program, sizeof(isle_load_request), 0, true, true},
    [ISLE_OP_UNLOAD_PROGRAM] = {control_unload_program, 8, 0, false, true},
    [ISLE_OP_DESCRIBE_PROGRAM] = {control_describe_program, sizeof(isle_describe_request), sizeof(isle_program_entry), false, true},
    [ISLE_OP_BUILTIN] = {control_builtin, 4, sizeof(isle_program_entry), false, true},
    [ISLE_OP_INFO] = {control_info, 0, sizeof(AccelDeviceInfo), false, true},
    [ISLE_OP_UTILIZATION] = {control_utilization, 0, sizeof(AccelUtilization), false, true},
    [ISLE_OP_POWER] = {control_power, 0, sizeof(AccelPowerState), false, true},
    [ISLE_OP_SET_PERF_LEVEL] = {control_set_perf_level, 4, 0, false, true},
    [ISLE_OP_COMPUTE_CAPS] = {control_compute_caps, 0, sizeof(ComputeCapabilities), false, true},
    [ISLE_OP_PERF_COUNTERS] = {control_perf_counters, 8, sizeof(AccelPerfCounters), false, true},
    [ISLE_OP_INJECT_FAULT] = {control_inject_fault, sizeof(isle_inject_request), 0, false, true},
    [ISLE_OP_POWER_STATES] = {control_power_states, 0, 4, false, true},
    [ISLE_OP_SET_POWER] = {control_set_power, 4, 0, false, true},
    [ISLE_OP_HEALTH] = {control_health, 0, sizeof(AccelHealthData), false, true},
    [ISLE_OP_FAULTY_PAGE] = {control_faulty_page, 4, sizeof(isle_page_range), false, true},
    [ISLE_OP_RETIRE_PAGES] = {control_retire_pages, sizeof(isle_page_range), 0, false, true},
    [ISLE_OP_RETIRED_PAGES] = {control_retired_pages, 0, 8, false, true},
    [ISLE_OP_MIGRATE_PAGES] = {control_migrate_pages, sizeof(isle_migrate_request), 0, true, true},
    [ISLE_OP_CONNECTORS] = {control_connectors, 0, 0, false, true},
    [ISLE_OP_MODES] = {control_modes, 4, 0, false, true},
    [ISLE_OP_SET_MODE] = {control_set_mode, sizeof(isle_mode_request), 0, false, true},
    [ISLE_OP_CREATE_FRAMEBUFFER] = {control_create_framebuffer, sizeof(isle_framebuffer_request), 0, false, true},
    [ISLE_OP_PAGE_FLIP] = {control_page_flip, sizeof(isle_flip_request), 8, false, true},
    [ISLE_OP_SET_DPMS] = {control_set_dpms, sizeof(isle_connector_value), 0, false, true},
    [ISLE_OP_HOTPLUG_STATUS] = {control_hotplug_status, 4, 4, false, true},
    [ISLE_OP_EDID] = {control_edid, 4, 0, false, true},
    [ISLE_OP_SET_CURSOR] = {control_set_cursor, sizeof(isle_cursor_request), 0, true, true},
    [ISLE_OP_SET_VRR] = {control_set_vrr, sizeof(isle_connector_value), 0, false, true},
    [ISLE_OP_SCANOUT_STATUS] = {control_scanout_status, 4, sizeof(isle_scanout_status), false, true},
    [ISLE_OP_SCANOUT_READ] = {control_scanout_read, sizeof(isle_scanout_request), 0, false, true},
    [ISLE_OP_DESCRIBE_KERNEL] = {control_describe_kernel, sizeof(isle_describe_request), sizeof(isle_kernel), false, true},
    [ISLE_OP_LOAD_FILES] = {control_load_files, sizeof(isle_files_request), 0, true, true},
    [ISLE_OP_HPU_CAPS] = {control_hpu_caps, 0, sizeof(isle_hpu_caps), false, true},
    [ISLE_OP_HPU_ATTACH] = {control_hpu_attach, sizeof(isle_hpu_attach_request), 0, false, true},
    [ISLE_OP_HPU_DETACH] = {control_hpu_detach, 8, 0, false, true},
    [ISLE_OP_HPU_REPORT] = {control_hpu_report, 8, sizeof(isle_hpu_report), false, true},
    [ISLE_OP_CLOSE] = {close_device, 0, 0, false, true},
    [ISLE_OP_EXIT] = {leave, 0, 0, false, false},
};

static IoResultCode dispatch(struct call *c, uint32_t op)
{
    if (op >= sizeof ops / sizeof ops[0] || !ops[op].handle) {
        rt_violation(c->rt);
        return IO_NOT_SUPPORTED;
    }
    if (ops[op].longer ? c->length < ops[op].size : c->length != ops[op].size) {
        rt_violation(c->rt);
        return -EINVAL;
    }
    if (ops[op].open && !atomic_load(&c->rt->open))
        return -ENODEV;
    memset(c->out, 0, ops[op].reply);
    IoResultCode rc = ops[op].handle(c);
    if (rc >= 0 && !c->out_length)
        c->out_length = ops[op].reply;
    return rc > 0 ? 0 : rc;
}

RT_API int64_t isle_rt_control(isle_rt *rt, const void *request, uint32_t request_length, void *response, uint32_t response_size)
{
    isle_control_request head;
    if (!request || !response || request_length < sizeof head || response_size < ISLE_CONTROL_BYTES) {
        rt_violation(rt);
        return -EINVAL;
    }
    memcpy(&head, request, sizeof head);
    if (request_length > ISLE_CONTROL_BYTES || head.length != request_length - sizeof head) {
        rt_violation(rt);
        return -EMSGSIZE;
    }
    isle_control_response r = {.seq = head.seq};
    struct call c = {.rt = rt,
                     .body = (const uint8_t *)request + sizeof head,
                     .length = head.length,
                     .out = (uint8_t *)response + sizeof r,
                     .out_size = response_size - (uint32_t)sizeof r};
    r.result = dispatch(&c, head.op);
    r.length = c.out_length;
    memcpy(response, &r, sizeof r);
    return (int64_t)sizeof r + r.length;
}
