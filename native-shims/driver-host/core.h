/* The bond of a process to the core that started it. */
#ifndef ISLE_HOST_CORE_H
#define ISLE_HOST_CORE_H

#include <stddef.h>
#include <sys/types.h>

/* A socket that is connected to a name of the core, or a negated errno. */
int core_connect(const char *name);

/* Waits for one message of exactly this size with one descriptor. 0 or a negated errno; what came with a malformed message is closed. */
int core_receive(int socket, void *into, size_t size, int *fd);

/* The process that listens at the other end; 0 when it has no number here. */
pid_t core_pid(int socket);

/* Closes all descriptors but the first three. */
void core_close_inherited(void);

#endif
