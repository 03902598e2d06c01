// xsk-peer: a program with sockets of AF_XDP and a program of eBPF that knows nothing of Isle, for the other side of a pair of interfaces.
#ifndef XSK_PEER_H
#define XSK_PEER_H

#include <stdint.h>

enum { FRAME_BYTES = 2048, FRAMES = 4096, PORT = 9000, LENGTH = 64, HEADERS = 42, MOST_QUEUES = 16, MOST_NUMBERS = 1 << 20 };

typedef struct {
  volatile uint32_t *producer, *consumer;
  void *entries;
  uint32_t mask;
} ring;

// One queue of the interface: its socket, with frames of its own. The first half of the frames is for receiving, the other half for sending.
typedef struct {
  int socket;
  uint8_t *frames;
  ring rx, tx, fill, completion;
  uint64_t received, sent, completed;
} queue;

_Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Loads a program that gives datagrams from PORT to the sockets of a new map, and all else to the kernel. Returns the map.
int program_attach(int interface, int driver, uint32_t queues);
void program_put(int map, uint32_t number, int socket);

// rx: entries of the ring of received frames; fills: frames that the kernel may have for receiving.
void queue_open(queue *q, int interface, uint32_t number, uint32_t rx, uint32_t fills);
// Takes some of what has arrived; returns the number.
uint32_t queue_take(queue *q, void (*frame)(const uint8_t *data, uint32_t bytes));
// Takes back what has been sent.
void queue_complete(queue *q);
// Hands a frame over for sending; 0 without room.
int queue_send(queue *q, void (*write)(uint8_t *data, uint64_t number), uint64_t number);
void queue_wake(queue *q);
// Frames that the kernel has lost for this socket: for want of an entry of FILL, and of room in RX; and entries that it refused to send.
void queue_losses(queue *q, uint64_t *empty, uint64_t *full, uint64_t *invalid);

#endif
