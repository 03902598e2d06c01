#include "peer.h"

#include <string.h>

// Offsets in the packed message.
enum { TYPE = 0, START = 1, END = 5, TAIL = 9, INDEX = 10, WORKERS = 14, RANGES = 18, RANGE_BYTES = 9 };

uint32_t get_u32(const uint8_t *from) {
  return (uint32_t)from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

void put_u32(uint8_t *to, uint32_t value) {
  for (int i = 0; i < 4; i++) to[i] = (uint8_t)(value >> (8 * i));
}

static struct range range_at(const uint8_t *from) {
  if (from[8] > 1) fail("the tail flag of a range is %d", from[8]);
  return (struct range){(int32_t)get_u32(from), (int32_t)get_u32(from + 4), from[8] == 1};
}

bool control_read(const uint8_t *packet, size_t size, struct control *to) {
  if (size < CONTROL_BYTES || packet[0] != 0xDE || packet[1] != 0xC0) return false;
  const uint8_t *message = packet + 2;
  to->type = message[TYPE];
  if (to->type < RESIZE_LAYERS || to->type > ACK) fail("type %d of a control message", to->type);
  to->own = range_at(message + START);
  to->index = (int32_t)get_u32(message + INDEX);
  to->workers = (int32_t)get_u32(message + WORKERS);
  int used = to->type == RESIZE_CHAIN ? to->workers : 0;
  if (used < 0 || used > MOST_WORKERS) fail("%d workers in a control message", used);
  for (int i = 0; i < used; i++) to->ranges[i] = range_at(message + RANGES + i * RANGE_BYTES);
  for (size_t i = 2 + RANGES + (size_t)used * RANGE_BYTES; i < size; i++)
    if (packet[i] != 0) fail("byte %zu of a control packet of type %d is %d, not 0", i, to->type, packet[i]);
  return true;
}

static void range_put(uint8_t *to, struct range range) {
  put_u32(to, (uint32_t)range.start);
  put_u32(to + 4, (uint32_t)range.end);
  to[8] = range.tail;
}

void control_write(uint8_t *packet, size_t size, const struct control *from) {
  memset(packet, 0, size);
  packet[0] = 0xDE;
  packet[1] = 0xC0;
  uint8_t *message = packet + 2;
  message[TYPE] = (uint8_t)from->type;
  range_put(message + START, from->own);
  put_u32(message + INDEX, (uint32_t)from->index);
  put_u32(message + WORKERS, (uint32_t)from->workers);
  for (int i = 0; from->type == RESIZE_CHAIN && i < from->workers; i++)
    range_put(message + RANGES + i * RANGE_BYTES, from->ranges[i]);
}

void mix(uint8_t *packet, size_t size, int start, int end) {
  for (int layer = start; layer < end; layer++) {
    int by = layer % 31 + 1;
    uint32_t key = 0x9E3779B9u * (uint32_t)(layer + 1);
    for (size_t at = HEADER_BYTES; at + 4 <= size; at += 4) {
      uint32_t word = get_u32(packet + at) ^ key;
      put_u32(packet + at, word << by | word >> (32 - by));
    }
  }
}
