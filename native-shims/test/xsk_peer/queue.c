#include <errno.h>
#include <linux/if_xdp.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include "xsk_peer.h"

enum { SEND_RING = 2048, FILL_RING = 2048, TAKE = 64 };

static void set(queue *q, int option, const void *value, socklen_t bytes, const char *what) {
  if (setsockopt(q->socket, SOL_XDP, option, value, bytes)) fail("%s: %m", what);
}

static ring map(queue *q, const struct xdp_ring_offset *at, uint64_t where, uint32_t entries, size_t entry) {
  char *base = mmap(NULL, at->desc + entries * entry, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, q->socket, (off_t)where);
  if (base == MAP_FAILED) fail("ring: %m");
  return (ring){(volatile uint32_t *)(base + at->producer), (volatile uint32_t *)(base + at->consumer), base + at->desc, entries - 1};
}

static uint32_t produced(const ring *r) { return __atomic_load_n(r->producer, __ATOMIC_ACQUIRE); }
static uint32_t consumed(const ring *r) { return __atomic_load_n(r->consumer, __ATOMIC_ACQUIRE); }
static void produce(ring *r, uint32_t to) { __atomic_store_n(r->producer, to, __ATOMIC_RELEASE); }
static void consume(ring *r, uint32_t to) { __atomic_store_n(r->consumer, to, __ATOMIC_RELEASE); }

static void give(queue *q, uint64_t address) {
  uint32_t at = *q->fill.producer;
  ((uint64_t *)q->fill.entries)[at & q->fill.mask] = address;
  produce(&q->fill, at + 1);
}

void queue_open(queue *q, int interface, uint32_t number, uint32_t rx, uint32_t fills) {
  memset(q, 0, sizeof *q);
  q->frames = mmap(NULL, (size_t)FRAMES * FRAME_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (q->frames == MAP_FAILED) fail("frames: %m");
  q->socket = socket(AF_XDP, SOCK_RAW | SOCK_CLOEXEC, 0);
  if (q->socket < 0) fail("socket: %m");
  struct xdp_umem_reg frames;
  memset(&frames, 0, sizeof frames);
  frames.addr = (uint64_t)(uintptr_t)q->frames;
  frames.len = (uint64_t)FRAMES * FRAME_BYTES;
  frames.chunk_size = FRAME_BYTES;
  uint32_t send = SEND_RING, fill = FILL_RING;
  set(q, XDP_UMEM_REG, &frames, sizeof frames, "registration");
  set(q, XDP_UMEM_FILL_RING, &fill, sizeof fill, "fill ring");
  set(q, XDP_UMEM_COMPLETION_RING, &send, sizeof send, "completion ring");
  set(q, XDP_RX_RING, &rx, sizeof rx, "rx ring");
  set(q, XDP_TX_RING, &send, sizeof send, "tx ring");
  struct xdp_mmap_offsets at;
  socklen_t bytes = sizeof at;
  if (getsockopt(q->socket, SOL_XDP, XDP_MMAP_OFFSETS, &at, &bytes)) fail("offsets: %m");
  q->rx = map(q, &at.rx, XDP_PGOFF_RX_RING, rx, sizeof(struct xdp_desc));
  q->tx = map(q, &at.tx, XDP_PGOFF_TX_RING, send, sizeof(struct xdp_desc));
  q->fill = map(q, &at.fr, XDP_UMEM_PGOFF_FILL_RING, fill, sizeof(uint64_t));
  q->completion = map(q, &at.cr, XDP_UMEM_PGOFF_COMPLETION_RING, send, sizeof(uint64_t));
  struct sockaddr_xdp address;
  memset(&address, 0, sizeof address);
  address.sxdp_family = AF_XDP;
  address.sxdp_ifindex = (uint32_t)interface;
  address.sxdp_queue_id = number;
  address.sxdp_flags = XDP_COPY;
  if (bind(q->socket, (struct sockaddr *)&address, sizeof address)) fail("bind of queue %u: %m", number);
  for (uint32_t i = 0; i < fills; i++) give(q, (uint64_t)i * FRAME_BYTES);
}

uint32_t queue_take(queue *q, void (*frame)(const uint8_t *data, uint32_t bytes)) {
  uint32_t at = *q->rx.consumer;
  uint32_t taken = 0;
  for (uint32_t end = produced(&q->rx); at != end && taken < TAKE; at++, taken++) {
    const struct xdp_desc *entry = &((struct xdp_desc *)q->rx.entries)[at & q->rx.mask];
    if (entry->addr + entry->len > (uint64_t)FRAMES * FRAME_BYTES) fail("the kernel names memory that is not there");
    frame(q->frames + entry->addr, entry->len);
    q->received++;
    give(q, entry->addr - entry->addr % FRAME_BYTES);
    consume(&q->rx, at + 1);
  }
  return taken;
}

void queue_complete(queue *q) {
  uint32_t done = produced(&q->completion) - *q->completion.consumer;
  consume(&q->completion, *q->completion.consumer + done);
  q->completed += done;
}

int queue_send(queue *q, void (*write)(uint8_t *data, uint64_t number), uint64_t number) {
  uint32_t at = *q->tx.producer;
  // a frame is free again behind its completion, which come in order
  if (q->sent - q->completed >= SEND_RING || at - consumed(&q->tx) > q->tx.mask) return 0;
  uint64_t address = (uint64_t)(FRAMES / 2 + q->sent % SEND_RING) * FRAME_BYTES;
  write(q->frames + address, number);
  ((struct xdp_desc *)q->tx.entries)[at & q->tx.mask] = (struct xdp_desc){.addr = address, .len = LENGTH};
  produce(&q->tx, at + 1);
  q->sent++;
  return 1;
}

void queue_wake(queue *q) {
  if (sendto(q->socket, NULL, 0, MSG_DONTWAIT, NULL, 0) < 0 && errno != EAGAIN && errno != EBUSY && errno != ENOBUFS) fail("wake-up: %m");
}

void queue_losses(queue *q, uint64_t *empty, uint64_t *full, uint64_t *invalid) {
  struct xdp_statistics counts;
  socklen_t bytes = sizeof counts;
  if (getsockopt(q->socket, SOL_XDP, XDP_STATISTICS, &counts, &bytes)) fail("statistics: %m");
  *empty = counts.rx_fill_ring_empty_descs;
  *full = counts.rx_ring_full;
  *invalid = counts.tx_invalid_descs + counts.rx_invalid_descs;
}
