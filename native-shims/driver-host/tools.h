/*
 * The one program that a confined driver may have run for it: the system's linker, for compilers that do not link by themselves. A small
 * process beside the host, started before the driver is loaded, runs it: one at a time, in the host's sandbox, and never another program.
 */
#ifndef ISLE_HOST_TOOLS_H
#define ISLE_HOST_TOOLS_H

#include <stdint.h>

/* Where a linker may be; NULL behind the last. */
extern const char *const tools_linkers[];

/* Starts the process; 0 or a negated errno. Single-threaded callers only, before the system calls are filtered. `memory_bytes`: private
 * memory of the linker, 0 for no limit. */
int tools_start(uint64_t memory_bytes);

#endif
