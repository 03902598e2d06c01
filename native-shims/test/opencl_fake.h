/* Shared by the tests of the OpenCL driver against a library that only looks like OpenCL. */
#ifndef ISLE_OPENCL_FAKE_H
#define ISLE_OPENCL_FAKE_H

#include "fakecl/fakecl.h"
#include "futex.h"
#include "opencl_harness.h"

#define FAKE_SOURCE "kernel void twice(global const uint *in, global uint *out, uint add);"

/* What the library does, and what it was asked for. */
extern struct fakecl *fake;
extern fakecl_release_fn fake_release;

/* Once, first: the library, which drivers then load; false when it is not there. */
bool fake_find(void);
/* Which library a driver loads. */
void fake_use(const char *library);
/* As ocl_begin, on a library that does what it should. */
int fake_begin(const char *settings);
/* Loads FAKE_SOURCE as PROGRAM; then submits its kernel "twice" from A to B, 1024 items. */
int fake_load(void);
int fake_twice(uint32_t index, uint64_t *tag);

#endif
