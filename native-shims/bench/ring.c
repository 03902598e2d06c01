/*
 * bench-ring rtt tcp|udp BYTES ROUNDS: two processes on a processor each exchange BYTES without sleeping; prints the nanoseconds of a round
 * trip, the mean of ROUNDS after a tenth as many. By TCP as a ring of two, whose protocol has a connection for each direction; with "pair" in
 * place of "rtt", by one connection.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CHUNK = 1400, MOST = 1 << 20 };

static _Noreturn void fail(const char *what) {
    fprintf(stderr, "bench-ring: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void pin(int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    if (sched_setaffinity(0, sizeof set, &set) < 0) fail("sched_setaffinity");
}

static int64_t now(void) {
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return at.tv_sec * 1000000000LL + at.tv_nsec;
}

static struct sockaddr_in loopback(uint16_t port) {
    return (struct sockaddr_in){.sin_family = AF_INET, .sin_port = port, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static int bound(int type, struct sockaddr_in *at) {
    int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0), bytes = 8 << 20;
    socklen_t size = sizeof *at;
    *at = loopback(0);
    if (fd < 0 || bind(fd, (struct sockaddr *)at, size) < 0 || getsockname(fd, (struct sockaddr *)at, &size) < 0) fail("bind");
    if (type == SOCK_DGRAM && setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof bytes) < 0)
        setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
    return fd;
}

/* No delay between a write and its segment, and no segment that only acknowledges where the kernel can wait for data to carry it. */
static void prompt(int fd) {
    int on = 1, off = 0;
    if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) < 0) fail("TCP_NODELAY");
    if (setsockopt(fd, IPPROTO_TCP, TCP_QUICKACK, &off, sizeof off) < 0) fail("TCP_QUICKACK");
}

static void send_all(int fd, const uint8_t *data, size_t bytes, bool datagrams) {
    for (size_t sent = 0; sent < bytes;) {
        size_t piece = datagrams && bytes - sent > CHUNK ? CHUNK : bytes - sent;
        ssize_t n = send(fd, data + sent, piece, MSG_NOSIGNAL);
        if (n < 0 && errno != EINTR) fail("send");
        if (n > 0) sent += (size_t)n;
    }
}

static bool receive_all(int fd, uint8_t *data, size_t bytes) {
    for (size_t have = 0; have < bytes;) {
        ssize_t n = recv(fd, data + have, bytes - have, MSG_DONTWAIT);
        if (n == 0) return false;
        if (n < 0 && errno != EAGAIN && errno != EINTR) fail("recv");
        if (n > 0) have += (size_t)n;
    }
    return true;
}

/* Where a process receives and where it sends: one descriptor, or two. */
struct way {
    int in, out;
};

static _Noreturn void echo(struct way way, uint8_t *data, size_t bytes, bool datagrams) {
    pin(1);
    while (receive_all(way.in, data, bytes)) send_all(way.out, data, bytes, datagrams);
    exit(0);
}

static int connection(const struct sockaddr_in *to) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (const struct sockaddr *)to, sizeof *to) < 0) fail("connect");
    prompt(fd);
    return fd;
}

static int accepted(int listener) {
    int fd = accept(listener, NULL, NULL);
    if (fd < 0) fail("accept");
    prompt(fd);
    return fd;
}

static pid_t forked(void) {
    pid_t parent = getpid(), child = fork();
    if (child < 0) fail("fork");
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) exit(1);
    }
    return child;
}

static pid_t stream_echo(bool ring, size_t bytes, uint8_t *data, struct way *ours) {
    struct sockaddr_in here;
    int listener = bound(SOCK_STREAM, &here);
    if (listen(listener, 2) < 0) fail("listen");
    pid_t child = forked();
    if (child == 0) {
        close(listener);
        struct way way;
        way.in = connection(&here);
        way.out = ring ? connection(&here) : way.in;
        echo(way, data, bytes, false);
    }
    ours->out = accepted(listener);
    ours->in = ring ? accepted(listener) : ours->out;
    return child;
}

static pid_t datagram_echo(size_t bytes, uint8_t *data, struct way *ours) {
    struct sockaddr_in here, there;
    int a = bound(SOCK_DGRAM, &here), b = bound(SOCK_DGRAM, &there);
    if (connect(a, (struct sockaddr *)&there, sizeof there) < 0 || connect(b, (struct sockaddr *)&here, sizeof here) < 0) fail("connect");
    pid_t child = forked();
    if (child == 0) {
        close(a);
        echo((struct way){b, b}, data, bytes, true);
    }
    close(b);
    *ours = (struct way){a, a};
    return child;
}

static void round_trips(struct way way, uint8_t *data, size_t bytes, bool datagrams, long rounds) {
    for (long i = 0; i < rounds; i++) {
        send_all(way.out, data, bytes, datagrams);
        if (!receive_all(way.in, data, bytes)) fail("the other process has ended");
    }
}

int main(int argc, char **argv) {
    bool ring = argc == 5 && strcmp(argv[1], "rtt") == 0;
    if (argc != 5 || (!ring && strcmp(argv[1], "pair") != 0)) {
        fputs("usage: bench-ring rtt|pair tcp|udp BYTES ROUNDS\n", stderr);
        return 2;
    }
    bool datagrams = strcmp(argv[2], "udp") == 0;
    size_t bytes = strtoul(argv[3], NULL, 10);
    long rounds = strtol(argv[4], NULL, 10);
    if (bytes < 1 || bytes > MOST || rounds < 1) {
        fputs("bench-ring: BYTES are 1 to 1048576, ROUNDS 1 or more\n", stderr);
        return 2;
    }
    uint8_t *data = calloc(1, bytes);
    if (data == NULL) fail("calloc");
    struct way way;
    pid_t child = datagrams ? datagram_echo(bytes, data, &way) : stream_echo(ring, bytes, data, &way);
    pin(0);
    round_trips(way, data, bytes, datagrams, rounds / 10 + 1);
    int64_t begin = now();
    round_trips(way, data, bytes, datagrams, rounds);
    printf("%.1f\n", (double)(now() - begin) / (double)rounds);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    free(data);
    return 0;
}
