/* A host in its sandbox, with the test driver that tries what it is told. */
#ifndef ISLE_TEST_CONFINED_H
#define ISLE_TEST_CONFINED_H

#include "harness.h"
#include "testdriver.h"

extern struct core confined;

/* Starts a host with one more option, or NULL, opens its device and makes a context. */
int confined_start(const char *option);
/* The same with several, NULL behind the last. */
int confined_start_with(const char *const *options);
/* Waits until a host that was started is ready, and gives it commands, doorbell and the agent's page. */
int confined_segments(void);
void confined_stop(void);
/* Submits what the driver is to do. */
int confined_act(uint32_t action, uint32_t what, uint64_t *tag);
/* What became of an attempt, TEST_TRY_*; 1 when no answer came. */
int confined_attempt(uint32_t what);

#endif
