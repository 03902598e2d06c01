/* Handlers as C compiled for this processor: called directly, on memory of the same shape, in this process. */
#ifndef ISLE_TEST_SPIN_DIRECT_H
#define ISLE_TEST_SPIN_DIRECT_H

#include <stdbool.h>
#include <stdint.h>

struct handler_args;
typedef void (*direct_handler)(struct handler_args *);

struct direct {
    uint8_t *handler, *scratchpads, *host; /* scratchpads are sized as the rig's */
    uint32_t handler_bytes, host_bytes;
    uint8_t *copy, *packet; /* the task's copy, and the packet in the NIC's buffer */
    uint32_t packet_bytes;
    uint32_t hpu;
    uint32_t sent; /* frames of the newest task */
    uint32_t length;
    uint8_t frame[1536]; /* the newest */
};

/* Memory, below 4 GiB where handlers see it; false: none. */
bool direct_make(struct direct *d, uint32_t handler_bytes, uint32_t host_bytes);
void direct_free(struct direct *d);
/* The packet that the next handlers get. */
void direct_packet(struct direct *d, const uint8_t *frame, uint32_t length);
void direct_run(struct direct *d, direct_handler handler, uint32_t hpu, uint32_t queue);
/* The header, packet and tail handlers of a program, NULL for none; false: no such program. */
bool direct_handlers(const char *program, direct_handler handlers[3]);

#endif
