/* The device itself, for drivers that begin with it. */
#ifndef ISLE_SOFT_DEVICE_H
#define ISLE_SOFT_DEVICE_H

#include "soft.h"

/* `size` bytes of which the device is the beginning; the rest is 0. */
IoResultCode device_open(const struct settings *settings, const isle_core *core, size_t size, struct device **out);
IoResultCode soft_get_interface(void *device, uint32_t interface_id, const void **out);
IoResultCode soft_close(void *device);

#endif
