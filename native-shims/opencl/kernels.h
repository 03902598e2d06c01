/* The kernels of a program. */
#ifndef ISLE_OPENCL_KERNELS_H
#define ISLE_OPENCL_KERNELS_H

#include "origin.h"

/* All kernels of a built program, described as far as the library tells; values whose type it does not tell have kind 0. */
IoResultCode kernels_list(struct device *d, struct program *p, char *log, uint64_t log_size);
/* Completes the descriptions and gives each kernel its number; the log names those that cannot be used. -EINVAL when none can. */
IoResultCode kernels_complete(struct device *d, struct program *p, struct origin *origin, char *log, uint64_t log_size);
bool kernels_any_usable(const struct program *p);
void kernels_free(struct device *d, struct program *p);
/* What describe() says of a kernel that a dispatch can have. */
void kernel_entry(const isle_kernel *told, isle_program_entry *out);
__attribute__((format(printf, 2, 3))) void kernel_unusable(isle_kernel *k, const char *format, ...);

#endif
