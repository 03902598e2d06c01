/* A core in miniature with the driver `spin`: a context with all memories of HPUs, and another one with some. */
#ifndef ISLE_TEST_SPIN_CORE_H
#define ISLE_TEST_SPIN_CORE_H

#include "isle_spin.h"
#include "spin_harness.h"

#define CONTEXT core_id(ISLE_KIND_CONTEXT, 1, 1)
#define OTHER core_id(ISLE_KIND_CONTEXT, 1, 2)
#define PROGRAM core_id(ISLE_KIND_PROGRAM, 1, 1)
#define FOREIGN_PROGRAM core_id(ISLE_KIND_PROGRAM, 1, 2)
#define MEMORY(i) core_id(ISLE_KIND_MEMORY, 1, 1 + (i))
#define FOREIGN core_id(ISLE_KIND_MEMORY, 1, 20)
#define HEAP (4u << 20)

enum { RINGS, PACKETS, HANDLER, SCRATCHPADS, HOST_DATA, HOST };

extern struct core core;
extern uint8_t *heap;
extern isle_alloc_response places[ISLE_HPU_MEMORIES];
extern isle_hpu_attach_request request; /* as it should be, after prepare() */
extern char why[ISLE_HPU_WHY + 1];      /* of the newest attach() */

/* Opens the device and makes all that the request names. */
int prepare(const char *settings, const char *image);
int load(const char *image, uint64_t context, uint64_t program);
int attach(void);
int detach(void);
isle_hpu_report report(void);
isle_spin_rings *rings(void);
/* Posts a packet to HPU 2. */
void post(const void *frame, uint32_t length);
/* The same, and the result, or -1. */
int run(const void *frame, uint32_t length);
/* A packet for hostile.c. */
int hostile(uint8_t action, uint32_t argument);

#endif
