/* What a device says of itself and counts. */
#ifndef ISLE_OPENCL_STATS_H
#define ISLE_OPENCL_STATS_H

#include "opencl.h"

IoResultCode opencl_get_info(void *ctx, AccelDeviceInfo *out);
IoResultCode opencl_get_utilization(void *ctx, AccelUtilization *out);
IoResultCode opencl_get_power_state(void *ctx, AccelPowerState *out);
IoResultCode opencl_get_compute_caps(void *ctx, ComputeCapabilities *out);
IoResultCode opencl_get_perf_counters(void *ctx, AccelContextHandle context, AccelPerfCounters *out);

#endif
