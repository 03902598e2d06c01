#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "peer.h"

static int next_fd, prev_fd;
static size_t packet_bytes;

static int stream_socket(void) {
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
  if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) < 0) fail("socket: %d", errno);
  return fd;
}

static int connected(struct sockaddr_in to) {
  for (;;) {
    int fd = stream_socket();
    if (connect(fd, (struct sockaddr *)&to, sizeof to) == 0) return fd;
    close(fd);
    nanosleep(&(struct timespec){.tv_nsec = 20 * 1000 * 1000}, NULL);
  }
}

// Binds, connects to the next node again and again, then accepts the previous one.
static void tcp_open(struct sockaddr_in at, struct sockaddr_in next, size_t packet) {
  packet_bytes = packet;
  int on = 1, server = stream_socket();
  if (bind(server, (struct sockaddr *)&at, sizeof at) < 0 || listen(server, 1) < 0) fail("listen: %d", errno);
  next_fd = connected(next);
  prev_fd = accept(server, NULL, NULL);
  if (prev_fd < 0) fail("accept: %d", errno);
  setsockopt(next_fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  close(server);
}

static void tcp_send(const uint8_t *packet) {
  for (size_t sent = 0; sent < packet_bytes;) {
    ssize_t n = send(next_fd, packet + sent, packet_bytes - sent, MSG_NOSIGNAL);
    if (n <= 0) fail("the next node is gone behind %zu of %zu bytes: %d", sent, packet_bytes, errno);
    sent += (size_t)n;
  }
}

// Nothing ever comes from the next node; its end is the end of the ring.
static void check_next(void) {
  char byte;
  ssize_t n = recv(next_fd, &byte, 1, MSG_DONTWAIT);
  if (n > 0) fail("the next node sent a byte backwards");
}

static bool tcp_receive(uint8_t *packet, int timeout_ms) {
  struct pollfd wait = {.fd = prev_fd, .events = POLLIN};
  int ready = poll(&wait, 1, timeout_ms);
  if (ready < 0) fail("poll: %d", errno);
  check_next();
  if (ready == 0) return false;
  for (size_t have = 0; have < packet_bytes;) {
    ssize_t n = recv(prev_fd, packet + have, packet_bytes - have, 0);
    if (n <= 0 && have > 0) fail("the previous node is gone behind %zu of %zu bytes", have, packet_bytes);
    if (n <= 0) exit(0);
    have += (size_t)n;
  }
  return true;
}

const struct transport tcp_transport = {tcp_open, tcp_send, tcp_receive};
