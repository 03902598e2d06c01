/* What the modes of bench-spin have in common. */
#ifndef BENCH_SPIN_H
#define BENCH_SPIN_H

#include <netinet/in.h>
#include <stdint.h>

_Noreturn void spin_fail(const char *what);
int64_t spin_now(void);

/* Nanoseconds of a round trip of a cache line between two processes on a processor each, the mean of so many. */
double spin_line(uint64_t rounds);

/* Enters a network namespace. */
void spin_enter(const char *netns);
struct sockaddr_in spin_address(const char *address, const char *port);

/* Sends datagrams back, for ever. */
_Noreturn void spin_echo(struct sockaddr_in here);

/* A client that sleeps until an answer comes. */
typedef struct {
    int fd, icmp;
    struct sockaddr_in to;
    uint32_t bytes; /* of the payload */
    uint16_t sequence;
} spin_client;

/* bytes: 8 or more */
void spin_open(spin_client *c, int icmp, struct sockaddr_in to, uint32_t bytes);
/* Nanoseconds of a round trip, the mean of so many. */
double spin_ping(spin_client *c, uint64_t rounds);

#endif
