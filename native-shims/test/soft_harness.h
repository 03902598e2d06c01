/* Shared by the tests of the software accelerator: one device in this process, a context, memory and programs in it. */
#ifndef ISLE_SOFT_HARNESS_H
#define ISLE_SOFT_HARNESS_H

#include "harness.h"

#define CONTEXT core_id(ISLE_KIND_CONTEXT, 1, 1)
#define OTHER core_id(ISLE_KIND_CONTEXT, 1, 2)
#define A core_id(ISLE_KIND_MEMORY, 1, 1)
#define B core_id(ISLE_KIND_MEMORY, 1, 2)
#define PROGRAM core_id(ISLE_KIND_PROGRAM, 1, 1)
#define VISIBLE (ACCEL_MEM_CPU_VISIBLE | ACCEL_MEM_COHERENT)
#define READ_ ISLE_ACCESS_READ
#define WRITE_ ISLE_ACCESS_WRITE

extern struct core soft;
extern uint8_t *soft_heap, *soft_other_heap;

/* The library that soft_begin loads. */
extern const char *soft_library;
/* Loads, opens with the settings, two contexts with heaps 16 and 17 of 64 MiB. */
int soft_begin(const char *settings, const AccelContextLimits *limits);
void soft_end(void);
/* Memory of CONTEXT that the CPU sees. */
uint8_t *soft_memory(uint64_t id, uint64_t size);
/* A dispatch of PROGRAM; `in` and `out` bind A and B when their length is not 0; a scalar argument follows when kind is not 0 */
void soft_dispatch(struct command *k, uint64_t in, uint64_t out, uint32_t kind, uint64_t scalar);
int soft_inject(uint32_t fault, uint64_t after, uint64_t count, uint64_t value);
/* Waits until the work of the tag has begun. */
void soft_await_start(uint64_t tag);
int soft_busy(uint64_t context, uint64_t us, uint32_t index, uint64_t *tag);

#endif
