/* Types of OpenCL C by their names. */
#ifndef ISLE_OPENCL_TYPES_H
#define ISLE_OPENCL_TYPES_H

#include "opencl.h"

#define TYPES_PLAIN 66u /* scalars and vectors */

/* Kind, bytes, element and lanes of a value of a type that is no typedef's and no structure's; false for others. */
bool type_of(const char *name, isle_kernel_arg *out);
/* The same by number, from 0 to TYPES_PLAIN - 1, and the name. */
void type_at(uint32_t number, char *name, size_t size, isle_kernel_arg *out);

#endif
