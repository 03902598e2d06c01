/* Shared by the tests of the OpenCL driver on the first device that OpenCL has here, in a host in its sandbox. */
#ifndef ISLE_POCL_HARNESS_H
#define ISLE_POCL_HARNESS_H

#include "opencl_harness.h"

/* The driver's folder; gone at the end. */
extern char pocl_cache[64];

/* A host with the device open, and CONTEXT in it; its programs stay in the folder from one host to the next. */
int pocl_begin(const char *settings);
void pocl_stop(void);
/* Files that the driver keeps of built programs; the path of one of them, where there is one. */
uint32_t pocl_kept(char *path, size_t size);
/* Runs the tests, or says that there is no device to run them on. */
int pocl_main(const char *suite, const struct test *tests, size_t count, int argc, char **argv);

#endif
