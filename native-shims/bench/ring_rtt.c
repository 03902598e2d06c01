/* Bytes to another process and back by sockets, without a protocol. */
#define _GNU_SOURCE
#include "ring.h"

#include <errno.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* No delay between a write and its segment, and no segment that only acknowledges where the kernel can wait for data to carry it. */
static void prompt(int fd) {
    int on = 1, off = 0;
    if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) < 0) ring_fail("TCP_NODELAY");
    if (setsockopt(fd, IPPROTO_TCP, TCP_QUICKACK, &off, sizeof off) < 0) ring_fail("TCP_QUICKACK");
}

static void send_all(int fd, const uint8_t *data, size_t bytes, bool datagrams) {
    size_t most = datagrams ? (size_t)RING_BATCH * RING_DATAGRAM : bytes;
    for (size_t sent = 0; sent < bytes;) {
        size_t piece = bytes - sent < most ? bytes - sent : most;
        ssize_t n = send(fd, data + sent, piece, MSG_NOSIGNAL);
        if (n < 0 && errno != EINTR) ring_fail("send");
        if (n > 0) sent += (size_t)n;
    }
}

static bool receive_all(int fd, uint8_t *data, size_t bytes) {
    for (size_t have = 0; have < bytes;) {
        ssize_t n = recv(fd, data + have, bytes - have, MSG_DONTWAIT);
        if (n == 0) return false;
        if (n < 0 && errno != EAGAIN && errno != EINTR) ring_fail("recv");
        if (n > 0) have += (size_t)n;
    }
    return true;
}

/* Where a process receives and where it sends: one descriptor, or two. */
struct way {
    int in, out;
};

static _Noreturn void echo(struct way way, uint8_t *data, size_t bytes, bool datagrams) {
    ring_pin(1);
    while (receive_all(way.in, data, bytes)) send_all(way.out, data, bytes, datagrams);
    exit(0);
}

static int connection(const struct sockaddr_in *to) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (const struct sockaddr *)to, sizeof *to) < 0) ring_fail("connect");
    prompt(fd);
    return fd;
}

static int accepted(int listener) {
    int fd = accept(listener, NULL, NULL);
    if (fd < 0) ring_fail("accept");
    prompt(fd);
    return fd;
}

static pid_t stream_echo(bool two, size_t bytes, uint8_t *data, struct way *ours) {
    struct sockaddr_in here;
    int listener = ring_bound(SOCK_STREAM, &here);
    if (listen(listener, 2) < 0) ring_fail("listen");
    pid_t child = ring_forked();
    if (child == 0) {
        close(listener);
        struct way way;
        way.in = connection(&here);
        way.out = two ? connection(&here) : way.in;
        echo(way, data, bytes, false);
    }
    ours->out = accepted(listener);
    ours->in = two ? accepted(listener) : ours->out;
    return child;
}

static pid_t datagram_echo(size_t bytes, uint8_t *data, struct way *ours) {
    int pair[2];
    ring_pair(pair);
    if (bytes > RING_DATAGRAM) {
        ring_batches(pair[0]);
        ring_batches(pair[1]);
    }
    pid_t child = ring_forked();
    if (child == 0) {
        close(pair[0]);
        echo((struct way){pair[1], pair[1]}, data, bytes, true);
    }
    close(pair[1]);
    *ours = (struct way){pair[0], pair[0]};
    return child;
}

static void round_trips(struct way way, uint8_t *data, size_t bytes, bool datagrams, long rounds) {
    for (long i = 0; i < rounds; i++) {
        send_all(way.out, data, bytes, datagrams);
        if (!receive_all(way.in, data, bytes)) ring_fail("the other process has ended");
    }
}

double ring_rtt(bool datagrams, bool two, size_t bytes, long rounds) {
    uint8_t *data = calloc(1, bytes);
    if (data == NULL) ring_fail("calloc");
    struct way way;
    pid_t child = datagrams ? datagram_echo(bytes, data, &way) : stream_echo(two, bytes, data, &way);
    ring_pin(0);
    round_trips(way, data, bytes, datagrams, rounds / 10 + 1);
    int64_t begin = ring_now();
    round_trips(way, data, bytes, datagrams, rounds);
    double ns = (double)(ring_now() - begin) / (double)rounds;
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    free(data);
    return ns;
}
