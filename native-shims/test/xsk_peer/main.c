// Reads a line a command, and answers with a line; ends with 0, or with 3 and a sentence.
//   xsk-peer NETNS INTERFACE QUEUES skb|drv OWN OTHER RX FILLS
//                            OWN, OTHER: hardware addresses; RX: entries of the ring of received frames, FILLS: frames for receiving, a queue
//   send QUEUE FROM COUNT KIND  sends datagrams with numbers from FROM on, by a queue, and waits until the kernel has sent them: prints SENT COMPLETED
//                            KIND: good, or what is wrong: fragment, length, group, far (a sender without a route), port (another port)
//   take                     takes what has arrived: prints RECEIVED DISTINCT EMPTY FULL INVALID, the sums of all calls, then the received frames of each queue
#define _GNU_SOURCE
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "xsk_peer.h"

enum { BURST = 32 };

static queue queues[MOST_QUEUES];
static uint32_t count;
static uint8_t own[6], other[6];
static const char *kind;
static uint64_t distinct;
static uint8_t seen[MOST_NUMBERS / 8];

_Noreturn void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("xsk-peer: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(3);
}

static void be16(uint8_t *at, uint32_t value) {
  at[0] = (uint8_t)(value >> 8);
  at[1] = (uint8_t)value;
}

static int is(const char *name) { return !strcmp(kind, name); }

// From 198.18.0.1, ports 4000 to 4015, to 198.18.0.2:9000, with a number behind the headers and without a checksum of UDP.
static void write_frame(uint8_t *data, uint64_t number) {
  memset(data, 0, LENGTH);
  memcpy(data, other, 6);
  memcpy(data + 6, own, 6);
  be16(data + 12, 0x0800);
  data[14] = 0x45;
  be16(data + 16, LENGTH - 14);
  be16(data + 20, is("fragment") ? 0x2000 : 0);
  data[22] = 64;
  data[23] = 17;
  memcpy(data + 26, (uint8_t[]){198, 18, 0, 1}, 4);
  if (is("group")) data[26] = 224;
  if (is("far")) memcpy(data + 26, (uint8_t[]){10, 9, 8, 7}, 4);
  memcpy(data + 30, (uint8_t[]){198, 18, 0, 2}, 4);
  uint32_t sum = 0;
  for (int i = 14; i < 34; i += 2) sum += (uint32_t)data[i] << 8 | data[i + 1];
  sum = (sum & 0xFFFF) + (sum >> 16);
  be16(data + 24, ~((sum & 0xFFFF) + (sum >> 16)) & 0xFFFF);
  be16(data + 34, 4000 + (uint32_t)(number % 16));
  be16(data + 36, is("port") ? PORT + 1 : PORT);
  be16(data + 38, is("length") ? LENGTH : LENGTH - 34);
  memcpy(data + HEADERS, &number, sizeof number);
}

static void take_frame(const uint8_t *data, uint32_t bytes) {
  uint64_t number;
  if (bytes < HEADERS + sizeof number) fail("a frame of %u bytes", bytes);
  memcpy(&number, data + HEADERS, sizeof number);
  if (number >= MOST_NUMBERS) fail("a frame with the number %llu", (unsigned long long)number);
  uint8_t bit = (uint8_t)(1u << number % 8);
  distinct += !(seen[number / 8] & bit);
  seen[number / 8] |= bit;
}

static void take(void) {
  uint32_t taken;
  do {
    taken = 0;
    for (uint32_t i = 0; i < count; i++) taken += queue_take(&queues[i], take_frame);
  } while (taken);
}

static void send_frames(unsigned number, uint64_t from, uint64_t frames) {
  if (number >= count || from + frames > MOST_NUMBERS) fail("no queue %u, or too many frames", number);
  queue *q = &queues[number];
  uint64_t next = 0;
  while (next < frames || q->completed < q->sent) {
    for (int i = 0; i < BURST && next < frames && queue_send(q, write_frame, from + next); i++) next++;
    queue_wake(q);
    queue_complete(q);
  }
  printf("%llu %llu\n", (unsigned long long)frames, (unsigned long long)q->completed);
}

static void print_stats(void) {
  uint64_t received = 0, empty = 0, full = 0, invalid = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint64_t e, f, v;
    queue_losses(&queues[i], &e, &f, &v);
    received += queues[i].received;
    empty += e, full += f, invalid += v;
  }
  printf("%llu %llu %llu %llu %llu", (unsigned long long)received, (unsigned long long)distinct, (unsigned long long)empty,
         (unsigned long long)full, (unsigned long long)invalid);
  for (uint32_t i = 0; i < count; i++) printf(" %llu", (unsigned long long)queues[i].received);
  putchar('\n');
}

static void command(const char *line) {
  unsigned number;
  unsigned long long from, frames;
  static char name[16];
  if (sscanf(line, "send %u %llu %llu %15s", &number, &from, &frames, name) == 4) {
    kind = name;
    send_frames(number, from, frames);
  } else if (!strcmp(line, "take\n")) {
    take();
    print_stats();
  } else {
    fail("no command: %s", line);
  }
}

static void station(const char *text, uint8_t *into) {
  unsigned b[6];
  if (sscanf(text, "%x:%x:%x:%x:%x:%x", &b[0], &b[1], &b[2], &b[3], &b[4], &b[5]) != 6) fail("no hardware address: %s", text);
  for (int i = 0; i < 6; i++) into[i] = (uint8_t)b[i];
}

int main(int argc, char **argv) {
  if (argc != 9) fail("takes NETNS INTERFACE QUEUES skb|drv OWN OTHER RX FILLS");
  int space = open(argv[1], O_RDONLY | O_CLOEXEC);
  if (space < 0 || setns(space, CLONE_NEWNET)) fail("%s: %m", argv[1]);
  int interface = (int)if_nametoindex(argv[2]);
  if (!interface) fail("%s: %m", argv[2]);
  count = (uint32_t)strtoul(argv[3], NULL, 10);
  uint32_t rx = (uint32_t)strtoul(argv[7], NULL, 10), fills = (uint32_t)strtoul(argv[8], NULL, 10);
  if (!count || count > MOST_QUEUES || fills > FRAMES / 2) fail("QUEUES is 1 to %d, FILLS at most %d", MOST_QUEUES, FRAMES / 2);
  station(argv[5], own);
  station(argv[6], other);
  int map = program_attach(interface, !strcmp(argv[4], "drv"), count);
  for (uint32_t i = 0; i < count; i++) {
    queue_open(&queues[i], interface, i, rx, fills);
    program_put(map, i, queues[i].socket);
  }
  setvbuf(stdout, NULL, _IOLBF, 0);
  puts("ready");
  char line[128];
  while (fgets(line, sizeof line, stdin)) command(line);
  return 0;
}
