#include <stdlib.h>
#include <string.h>

#include "peer.h"

enum { WAIT_MS = 10000, WARM_MS = 250, QUIET_MS = 100 };

static uint8_t *wanted;

static void fill(struct node *node, uint8_t *packet, uint32_t pos, uint32_t flags) {
  put_u32(packet, pos);
  put_u32(packet + 4, flags);
  for (size_t at = HEADER_BYTES; at + 4 <= node->packet; at += 4) put_u32(packet + at, pos * 2654435761u + (uint32_t)at);
}

// Packets before the first reply may have gone to nobody; all replies of them are taken.
static void warm(struct node *node) {
  do {
    fill(node, node->buffer, 0, NEED_REPLY);
    node->transport->send(node->buffer);
  } while (!node->transport->receive(node->buffer, WARM_MS));
  while (node->transport->receive(node->buffer, QUIET_MS)) {
  }
  printf("warm\n");
}

// One packet after the other; every third one without a requested reply, which comes back only where no worker is a tail.
static void drive(struct node *node, unsigned count) {
  for (uint32_t pos = 0; pos < count; pos++) {
    uint32_t flags = pos % 3 == 1 ? NO_REPLY : NEED_REPLY;
    fill(node, wanted, pos, flags);
    node->transport->send(wanted);
    if (flags == NO_REPLY && node->range.tail) continue;
    if (!node->transport->receive(node->buffer, WAIT_MS)) fail("no reply at position %u", pos);
    mix(wanted, node->packet, node->range.start, node->range.end);
    if (memcmp(node->buffer, wanted, node->packet) != 0) fail("the reply at position %u differs", pos);
  }
  printf("driven %u\n", count);
}

// Nothing comes that was not asked for.
static void quiet(struct node *node) {
  if (node->transport->receive(node->buffer, QUIET_MS)) fail("a packet at position %u that nobody asked for", get_u32(node->buffer));
  printf("quiet\n");
}

static struct control chain(struct node *node, const int *boundaries, int count) {
  struct control control = {.type = count <= 2 ? RESIZE_LAYERS : RESIZE_CHAIN};
  int end = count == 1 ? node->layers : boundaries[count - 1];
  node->range = (struct range){boundaries[0], end, end == node->layers};
  if (count <= 2) {
    control.own = node->range;
    return control;
  }
  control.workers = count - 1;
  for (int i = 0; i < control.workers; i++)
    control.ranges[i] = (struct range){boundaries[i], boundaries[i + 1], boundaries[i + 1] == node->layers};
  return control;
}

static void resize(struct node *node, char *arguments) {
  int boundaries[MOST_WORKERS + 1], count = 0;
  for (char *save, *one = strtok_r(arguments, " \n", &save); one != NULL; one = strtok_r(NULL, " \n", &save)) {
    if (count > MOST_WORKERS) fail("more than %d boundaries", MOST_WORKERS + 1);
    boundaries[count++] = atoi(one);
  }
  if (count == 0) fail("resize takes boundaries");
  struct control control = chain(node, boundaries, count), reply;
  struct range last = count <= 2 ? control.own : control.ranges[count - 2];
  control_write(node->buffer, node->packet, &control);
  node->transport->send(node->buffer);
  if (!node->transport->receive(node->buffer, WAIT_MS)) fail("no acknowledgement");
  if (!control_read(node->buffer, node->packet, &reply) || reply.type != ACK) fail("no acknowledgement, but another packet");
  if (reply.own.start != last.start || reply.own.end != last.end || reply.own.tail != last.tail || reply.index != 0 || reply.workers != 0)
    fail("the acknowledgement has layers %d to %d, tail %d, worker %d of %d", reply.own.start, reply.own.end, reply.own.tail, reply.index,
         reply.workers);
  printf("resized\n");
}

void run_master(struct node *node, FILE *commands) {
  char line[512];
  wanted = malloc(node->packet);
  if (wanted == NULL) fail("no memory");
  while (fgets(line, sizeof line, commands) != NULL) {
    if (strcmp(line, "warm\n") == 0) warm(node);
    else if (strcmp(line, "quiet\n") == 0) quiet(node);
    else if (strncmp(line, "drive ", 6) == 0) drive(node, (unsigned)atoi(line + 6));
    else if (strncmp(line, "resize ", 7) == 0) resize(node, line + 7);
    else fail("unknown command: %s", line);
    fflush(stdout);
  }
  free(wanted);
}
