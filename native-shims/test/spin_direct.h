/* Handlers as C compiled for this processor: called directly, on memory of the same shape. */
#ifndef ISLE_TEST_SPIN_DIRECT_H
#define ISLE_TEST_SPIN_DIRECT_H

#include <stdbool.h>
#include <stdint.h>

enum { DIRECT_UDP_PING, DIRECT_ICMP_PING, DIRECT_MESSAGE, DIRECT_HISTOGRAM, DIRECT_REDUCE, DIRECT_FILTER };

struct direct {
    uint8_t *handler, *scratchpads, *host; /* sizes as the rig's */
    uint32_t sent; /* frames of the newest task */
    uint32_t length;
    uint8_t frame[1536]; /* the newest */
};

/* Memory below 4 GiB for the packet; false: none. */
bool direct_make(struct direct *d);
void direct_free(struct direct *d);
void direct_run(struct direct *d, int program, uint32_t handler, uint32_t hpu, uint32_t queue, const uint8_t *frame, uint32_t length);

#endif
