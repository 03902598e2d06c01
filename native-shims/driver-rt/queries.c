#include "control.h"

#include <errno.h>

IoResultCode control_builtin(struct call *c)
{
    isle_rt *rt = c->rt;
    return rt->programs_vt.builtin ? rt->programs_vt.builtin(rt->device, call_u32(c), (isle_program_entry *)(void *)c->out)
                                   : IO_NOT_SUPPORTED;
}

IoResultCode control_info(struct call *c)
{
    return c->rt->base.get_info(c->rt->device, (AccelDeviceInfo *)(void *)c->out);
}

IoResultCode control_utilization(struct call *c)
{
    return c->rt->base.get_utilization(c->rt->device, (AccelUtilization *)(void *)c->out);
}

IoResultCode control_power(struct call *c)
{
    return c->rt->base.get_power_state(c->rt->device, (AccelPowerState *)(void *)c->out);
}

IoResultCode control_set_perf_level(struct call *c)
{
    if (call_u32(c) > ACCEL_PERF_HIGH)
        return -EINVAL;
    return c->rt->base.set_performance_level ? c->rt->base.set_performance_level(c->rt->device, call_u32(c)) : IO_NOT_SUPPORTED;
}

IoResultCode control_compute_caps(struct call *c)
{
    isle_rt *rt = c->rt;
    return rt->compute.get_compute_caps ? rt->compute.get_compute_caps(rt->device, (ComputeCapabilities *)(void *)c->out)
                                        : IO_NOT_SUPPORTED;
}

IoResultCode control_perf_counters(struct call *c)
{
    isle_rt *rt = c->rt;
    struct object_view view;
    if (!rt->compute.get_perf_counters)
        return IO_NOT_SUPPORTED;
    IoResultCode rc = table_get(&rt->contexts, call_u64(c), &view);
    return rc ? rc : rt->compute.get_perf_counters(rt->device, view.handle, (AccelPerfCounters *)(void *)c->out);
}

IoResultCode control_inject_fault(struct call *c)
{
    isle_inject_request q;
    memcpy(&q, c->body, sizeof q);
    if (q.fault < ISLE_FAULT_LATENCY || q.fault > ISLE_FAULT_HOTPLUG)
        return -EINVAL;
    return c->rt->fault_vt.inject ? c->rt->fault_vt.inject(c->rt->device, q.fault, q.after, q.count, q.value) : IO_NOT_SUPPORTED;
}

IoResultCode control_power_states(struct call *c)
{
    isle_rt *rt = c->rt;
    if (!rt->power_vt.set_state)
        return IO_NOT_SUPPORTED;
    memcpy(c->out, &rt->power_vt.states, sizeof rt->power_vt.states);
    return 0;
}

IoResultCode control_set_power(struct call *c)
{
    isle_rt *rt = c->rt;
    uint32_t state = call_u32(c);
    if (!rt->power_vt.set_state || state > ACCEL_POWER_D3_OFF || !(rt->power_vt.states >> state & 1))
        return IO_NOT_SUPPORTED;
    return rt->power_vt.set_state(rt->device, state);
}

IoResultCode control_health(struct call *c)
{
    isle_rt *rt = c->rt;
    return rt->health_vt.get_health ? rt->health_vt.get_health(rt->device, (AccelHealthData *)(void *)c->out) : IO_NOT_SUPPORTED;
}
