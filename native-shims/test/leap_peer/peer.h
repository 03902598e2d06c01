// A node of a LEAP ring, made from the description of its bytes alone: the stand-in for programs of others in tests of rings.
#ifndef LEAP_PEER_H
#define LEAP_PEER_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
  HEADER_BYTES = 8,
  MESSAGE_BYTES = 162,
  CONTROL_BYTES = 164,
  MOST_WORKERS = 16,
  MOST_PACKET = 1 << 20,
  NO_REPLY = 0,
  NEED_REPLY = 1,
};

enum control_type { RESIZE_LAYERS = 1, RESIZE_CHAIN = 2, ACK = 3 };

struct range {
  int32_t start, end;
  bool tail;
};

// A control message, out of its packed form.
struct control {
  int type;
  struct range own;
  int32_t index, workers;
  struct range ranges[MOST_WORKERS];
};

// Ends the program with 3 and a sentence: the other side broke the protocol, or the machine failed.
_Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

struct sockaddr_in address_of(const char *text);

// Way of packets. The packet size is fixed; both directions belong to one thread.
struct transport {
  void (*open)(struct sockaddr_in listen, struct sockaddr_in next, size_t packet);
  void (*send)(const uint8_t *packet);
  // Receives the next packet; false after timeout_ms, -1: waits for ever. The end of the previous node ends the program with 0.
  bool (*receive)(uint8_t *packet, int timeout_ms);
};
extern const struct transport tcp_transport, udp_transport;

uint32_t get_u32(const uint8_t *from);
void put_u32(uint8_t *to, uint32_t value);

// Reads a control packet; false for an activation. Ends the program where unused bytes are not zero.
bool control_read(const uint8_t *packet, size_t size, struct control *to);
// Writes marker, message and zeros up to the packet size.
void control_write(uint8_t *packet, size_t size, const struct control *from);

// The stage `mix` of one layer after the other.
void mix(uint8_t *packet, size_t size, int start, int end);

struct node {
  const struct transport *transport;
  size_t packet;
  int layers;
  struct range range;
  uint8_t *buffer;
};
// Passes packets on until the previous node is gone.
_Noreturn void run_worker(struct node *node);
// Reads commands, one a line, and answers each by one line.
void run_master(struct node *node, FILE *commands);

#endif
