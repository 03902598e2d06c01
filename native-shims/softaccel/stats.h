/* What a device says of itself and counts. */
#ifndef ISLE_SOFT_STATS_H
#define ISLE_SOFT_STATS_H

#include "soft.h"

IoResultCode soft_get_info(void *ctx, AccelDeviceInfo *out);
IoResultCode soft_get_utilization(void *ctx, AccelUtilization *out);
IoResultCode soft_get_compute_caps(void *ctx, ComputeCapabilities *out);
IoResultCode soft_get_perf_counters(void *ctx, AccelContextHandle context, AccelPerfCounters *out);

#endif
