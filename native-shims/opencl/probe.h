/* What devices there are, and what they are. */
#ifndef ISLE_OPENCL_PROBE_H
#define ISLE_OPENCL_PROBE_H

#include "opencl.h"

/* Both lists are asked of the library anew. */
uint32_t probe_devices(const struct cl_api *cl, struct found *out, uint32_t most);
void probe_facts(const struct cl_api *cl, cl_platform_id platform, cl_device_id device, struct facts *out);
/* Tells libraries that write where they may, before they are loaded. */
void probe_environment(void);

#endif
