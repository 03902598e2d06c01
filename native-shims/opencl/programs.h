/* Programs, built-in and built. */
#ifndef ISLE_OPENCL_PROGRAMS_H
#define ISLE_OPENCL_PROGRAMS_H

#include "opencl.h"

extern const isle_programs_vtable opencl_programs;
extern const isle_kernel opencl_builtins[BUILTIN_COUNT];
void program_release(struct device *d, struct program *p);

#endif
