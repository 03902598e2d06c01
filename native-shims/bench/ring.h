#ifndef ISLE_BENCH_RING_H
#define ISLE_BENCH_RING_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* As rings cut frames into datagrams: a header of 12 bytes and 1400 bytes of the frame; so many of them at once. */
enum { RING_CHUNK_HEADER = 12, RING_CHUNK = 1400, RING_DATAGRAM = RING_CHUNK_HEADER + RING_CHUNK, RING_BATCH = 65507 / RING_DATAGRAM };

/* Of a frame of dialect isle. */
enum { RING_HEADER = 32, RING_ACK = 32, RING_WINDOW = 64 };

_Noreturn void ring_fail(const char *what);
void ring_pin(int cpu);
int64_t ring_now(void);
pid_t ring_forked(void); /* as fork; the child ends with its parent */
int ring_bound(int type, struct sockaddr_in *at); /* a socket at a free port of the loopback interface */
void ring_pair(int fds[2]);                       /* two sockets for datagrams, connected with each other */
void ring_batches(int fd);                        /* the kernel cuts what is sent, and joins what arrives */

/* The header of a frame, with the checksum of all bytes behind its first eight. */
void ring_seal(uint8_t *frame, uint64_t number, uint32_t payload);
bool ring_sealed(const uint8_t *frame, uint64_t number, uint32_t payload);
uint32_t ring_crc(const uint8_t *data, size_t bytes); /* CRC32C */

/* Nanoseconds of a round trip, or of a frame one way: the mean of ROUNDS. */
double ring_rtt(bool datagrams, bool two, size_t bytes, long rounds);
double ring_banks(size_t bytes, long rounds);
double ring_goodput(size_t bytes, long frames);

#endif
