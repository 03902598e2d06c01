/* What the modes of bench-ring share: processes, sockets, headers of frames. */
#define _GNU_SOURCE
#include "ring.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/udp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MAGIC = 0x454C5349, DATA = 2, BUFFER = 8 << 20 };

_Noreturn void ring_fail(const char *what) {
    fprintf(stderr, "bench-ring: %s%s%s\n", what, errno == 0 ? "" : ": ", errno == 0 ? "" : strerror(errno));
    exit(1);
}

void ring_pin(int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    if (sched_setaffinity(0, sizeof set, &set) < 0) ring_fail("sched_setaffinity");
}

int64_t ring_now(void) {
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return at.tv_sec * 1000000000LL + at.tv_nsec;
}

pid_t ring_forked(void) {
    pid_t parent = getpid(), child = fork();
    if (child < 0) ring_fail("fork");
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) exit(1);
    }
    return child;
}

static void enlarge(int fd, int force, int usual) {
    int bytes = BUFFER;
    if (setsockopt(fd, SOL_SOCKET, force, &bytes, sizeof bytes) < 0) setsockopt(fd, SOL_SOCKET, usual, &bytes, sizeof bytes);
}

int ring_bound(int type, struct sockaddr_in *at) {
    int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0);
    socklen_t size = sizeof *at;
    *at = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (fd < 0 || bind(fd, (struct sockaddr *)at, size) < 0 || getsockname(fd, (struct sockaddr *)at, &size) < 0) ring_fail("bind");
    if (type == SOCK_DGRAM) {
        enlarge(fd, SO_RCVBUFFORCE, SO_RCVBUF);
        enlarge(fd, SO_SNDBUFFORCE, SO_SNDBUF);
    }
    return fd;
}

void ring_pair(int fds[2]) {
    struct sockaddr_in first, second;
    fds[0] = ring_bound(SOCK_DGRAM, &first);
    fds[1] = ring_bound(SOCK_DGRAM, &second);
    if (connect(fds[0], (struct sockaddr *)&second, sizeof second) < 0 || connect(fds[1], (struct sockaddr *)&first, sizeof first) < 0)
        ring_fail("connect");
}

void ring_batches(int fd) {
    int segment = RING_DATAGRAM, on = 1;
    if (setsockopt(fd, IPPROTO_UDP, UDP_SEGMENT, &segment, sizeof segment) < 0) ring_fail("UDP_SEGMENT");
    if (setsockopt(fd, IPPROTO_UDP, UDP_GRO, &on, sizeof on) < 0) ring_fail("UDP_GRO");
}

/* Little-endian, as this machine: magic, checksum, version and kind, payload, number, time. */
struct header {
    uint32_t magic, crc;
    uint8_t version, kind;
    uint16_t flags;
    uint32_t payload;
    uint64_t number;
    int64_t time;
};
_Static_assert(sizeof(struct header) == RING_HEADER, "the header of a frame has 32 bytes");

void ring_seal(uint8_t *frame, uint64_t number, uint32_t payload) {
    struct header *header = (struct header *)frame;
    *header = (struct header){.magic = MAGIC, .version = 1, .kind = DATA, .payload = payload, .number = number, .time = ring_now()};
    header->crc = ring_crc(frame + 8, RING_HEADER - 8 + payload);
}

bool ring_sealed(const uint8_t *frame, uint64_t number, uint32_t payload) {
    const struct header *header = (const struct header *)frame;
    return header->magic == MAGIC && header->version == 1 && header->kind == DATA && header->flags == 0 && header->payload == payload
        && header->number == number && header->crc == ring_crc(frame + 8, RING_HEADER - 8 + payload);
}
