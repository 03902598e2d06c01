#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "peer.h"

enum { CHUNK_HEADER = 12, CHUNK = 1400 };
static const char MAGIC[4] = {'L', 'E', 'A', 'P'};

static int fd;
static struct sockaddr_in next_address, prev_address;
static size_t packet_bytes;
static uint16_t sending = 0x8001;
static int expected = -1;

// One socket for both directions, bound to the port of this node.
static void udp_open(struct sockaddr_in at, struct sockaddr_in next, size_t packet) {
  packet_bytes = packet;
  next_address = next;
  int bytes = 8 << 20;
  fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0 || bind(fd, (struct sockaddr *)&at, sizeof at) < 0) fail("bind: %d", errno);
  if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof bytes) < 0) setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
}

static size_t chunks(void) { return (packet_bytes + CHUNK - 1) / CHUNK; }

static size_t chunk_length(size_t chunk) {
  size_t rest = packet_bytes - chunk * CHUNK;
  return rest < CHUNK ? rest : CHUNK;
}

static void put_u16(uint8_t *to, unsigned value) {
  to[0] = (uint8_t)(value >> 8);
  to[1] = (uint8_t)value;
}

static unsigned get_u16(const uint8_t *from) { return (unsigned)from[0] << 8 | from[1]; }

static void udp_send(const uint8_t *packet) {
  uint8_t datagram[CHUNK_HEADER + CHUNK];
  for (size_t i = 0; i < chunks(); i++) {
    memcpy(datagram, MAGIC, 4);
    put_u16(datagram + 4, sending);
    put_u16(datagram + 6, (unsigned)i);
    put_u16(datagram + 8, (unsigned)chunks());
    put_u16(datagram + 10, 0);
    memcpy(datagram + CHUNK_HEADER, packet + i * CHUNK, chunk_length(i));
    size_t length = CHUNK_HEADER + chunk_length(i);
    // a node that is not there yet answers by ICMP
    while (sendto(fd, datagram, length, 0, (struct sockaddr *)&next_address, sizeof next_address) < 0)
      if (errno != ECONNREFUSED && errno != EINTR) fail("sendto: %d", errno);
  }
  sending++;
}

// Every datagram is the one that must come next: the loopback interface neither loses nor reorders.
static void check(const uint8_t *datagram, size_t length, size_t chunk, const struct sockaddr_in *from) {
  if (prev_address.sin_port == 0) prev_address = *from;
  if (from->sin_port != prev_address.sin_port) fail("a datagram of port %d, not %d", ntohs(from->sin_port), ntohs(prev_address.sin_port));
  if (length < CHUNK_HEADER || memcmp(datagram, MAGIC, 4) != 0) fail("a datagram of %zu bytes is no chunk", length);
  if (expected < 0) expected = (int)get_u16(datagram + 4);
  if (get_u16(datagram + 4) != (unsigned)expected) fail("sequence %04x, not %04x", get_u16(datagram + 4), (unsigned)expected);
  if (get_u16(datagram + 6) != chunk) fail("chunk %u, not %zu", get_u16(datagram + 6), chunk);
  if (get_u16(datagram + 8) != chunks()) fail("%u chunks, not %zu", get_u16(datagram + 8), chunks());
  if (get_u16(datagram + 10) != 0) fail("the reserved field is %u", get_u16(datagram + 10));
  if (length != CHUNK_HEADER + chunk_length(chunk)) fail("chunk %zu has %zu bytes, not %zu", chunk, length - CHUNK_HEADER, chunk_length(chunk));
}

static bool udp_receive(uint8_t *packet, int timeout_ms) {
  uint8_t datagram[65536];
  for (size_t chunk = 0; chunk < chunks(); chunk++) {
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    int ready = poll(&wait, 1, chunk == 0 ? timeout_ms : 5000);
    if (ready == 0 && chunk > 0) fail("%zu of %zu chunks within 5 s", chunk, chunks());
    if (ready == 0) return false;
    struct sockaddr_in from;
    socklen_t size = sizeof from;
    ssize_t length = recvfrom(fd, datagram, sizeof datagram, 0, (struct sockaddr *)&from, &size);
    if (length < 0 && errno == ECONNREFUSED) {
      chunk--;
      continue;
    }
    if (length < 0) fail("recvfrom: %d", errno);
    // the rest of a frame that began before this node was there
    if (expected < 0 && chunk == 0 && length >= CHUNK_HEADER && get_u16(datagram + 6) != 0) {
      chunk--;
      continue;
    }
    check(datagram, (size_t)length, chunk, &from);
    memcpy(packet + chunk * CHUNK, datagram + CHUNK_HEADER, chunk_length(chunk));
  }
  expected = (expected + 1) & 0xFFFF;
  return true;
}

const struct transport udp_transport = {udp_open, udp_send, udp_receive};
