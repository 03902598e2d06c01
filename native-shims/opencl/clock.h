/* The device's time and the CPU's. */
#ifndef ISLE_OPENCL_CLOCK_H
#define ISLE_OPENCL_CLOCK_H

#include "opencl.h"

IoResultCode clock_calibrate(struct device *d, cl_context context, cl_command_queue queue);
/* Start and end of an event by CLOCK_MONOTONIC, within [issued, now]; false when the device does not say. */
bool clock_of_event(struct device *d, cl_event event, uint64_t issued_ns, uint64_t now, uint64_t *start, uint64_t *end);
uint64_t clock_now(void);

#endif
