/* What look.c leaves in the host page of its HPU. */
#include <stdint.h>

#define LOOK_MAGIC 0x6b6f6f6cu
#define LOOK_L1 1024

struct look {
    uint32_t magic, handler, hpu, cluster, core, core_by_call, cluster_by_call, task_bytes, handler_mem_size, behind_image, packet_bytes, scratchpad_size,
        host_high, host_low, host_size, home, flow, runs, writable, same_packet, cycles, can_ask;
};
