/* Shared by the tests of the OpenCL driver: one device in this process, a context, memory and programs in it. */
#ifndef ISLE_OPENCL_HARNESS_H
#define ISLE_OPENCL_HARNESS_H

#include "harness.h"

#define CONTEXT core_id(ISLE_KIND_CONTEXT, 1, 1)
#define OTHER core_id(ISLE_KIND_CONTEXT, 1, 2)
#define A core_id(ISLE_KIND_MEMORY, 1, 1)
#define B core_id(ISLE_KIND_MEMORY, 1, 2)
#define PROGRAM core_id(ISLE_KIND_PROGRAM, 1, 1)
#define VISIBLE (ACCEL_MEM_CPU_VISIBLE | ACCEL_MEM_COHERENT)
#define READ_ ISLE_ACCESS_READ
#define WRITE_ ISLE_ACCESS_WRITE

extern struct core ocl;
extern uint8_t *ocl_heap;
/* What the last load had to say. */
extern char ocl_log[16384];

/* The device that probe found first; -ENOENT: there is none. */
int ocl_open(const char *settings);
/* Loads, opens, makes CONTEXT with a heap of 64 MiB. */
int ocl_begin(const char *settings, const AccelContextLimits *limits);
int ocl_end(void);
uint8_t *ocl_memory(uint64_t id, uint64_t size);
int ocl_load(uint64_t id, uint32_t kind, const void *source, uint32_t length);
int ocl_build(uint64_t id, uint32_t kind, const char *options, const void *source, uint32_t length);
/* As a control call: 0 and the entry, or its code. */
int ocl_describe(uint64_t program, uint32_t entry, isle_program_entry *out);
/* As a control call: 0 and the kernel, or its code. */
int ocl_kernel(uint64_t program, uint32_t entry, isle_kernel *out);
/* The last line that the driver logged as a warning or an error; "" if there is none. */
const char *ocl_said(void);
/* A launch: `head` without its lengths and counts, then arguments and tail. */
void ocl_launch(struct command *k, const isle_op_launch *head, uint32_t arg_count, const isle_arg *args, const void *tail, uint32_t tail_bytes);
/* A dispatch with x items; arguments name bindings in their order. */
void ocl_dispatch(struct command *k, uint32_t program, uint32_t entry, uint32_t x, uint32_t arg_count, const isle_arg *args);

#endif
