/* A hostile host: what its threads share. The modes, by the lane on which they show, stand in hostile_data.c and hostile_host.c. */
#ifndef ISLE_HOSTILE_H
#define ISLE_HOSTILE_H

#include <stdbool.h>
#include <stdint.h>

#include "isle_wire.h"

#define MOST 64u

struct hostile {
    const char *mode;
    int socket;
    isle_channel_header *channel;
    isle_channel_header layout; /* as it was at the start */
    uint64_t size;
    int fds[MOST];
    uint64_t sizes[MOST];
    uint32_t fd_count;
    isle_doorbell *doorbell;
    const isle_agent *agent;
    int agent_fd;
    uint64_t taken;
    uint64_t told;
    uint64_t random;
    bool quiet; /* takes no more requests */
};
extern struct hostile h;

bool is(const char *mode);
uint64_t next_random(void);

/* Takes requests and tells completions, as the mode says. */
void *hostile_data(void *arg);
/* Spoils memory or output without end, in modes that do. */
bool hostile_makes_noise(void);
void *hostile_noise(void *arg);
/* Completes what nobody asked for, without end, and not so fast that the ring overflows at once. */
void *hostile_completions(void *arg);

#endif
