#define _GNU_SOURCE
#include "spin_direct.h"

#include <stdlib.h>
#include <sys/mman.h>

/* As handlers are written: their pointers fit into 32 bits, for what they see lies there. */
#pragma GCC diagnostic ignored "-Wpointer-to-int-cast"
#pragma GCC diagnostic ignored "-Wint-to-pointer-cast"
#define init_handlers message_init
#include "handlers/message.c"
#undef init_handlers
#define init_handlers histogram_init
#include "handlers/histogram.c"
#undef init_handlers
#define init_handlers reduce_init
#include "handlers/reduce.c"
#undef init_handlers
#include "handlers/filter.c"
#include "../spin/handlers/icmp_ping.c"
#include "../spin/handlers/udp_ping.c"
#include "spin_harness.h"

#define SCRATCHPADS (RIG_SCRATCHPAD * ISLE_SPIN_CLUSTERS * ISLE_SPIN_QUEUES)

volatile struct host_data __host_data;
volatile uint8_t dma_idx[CORE_COUNT];
static struct direct *running;
static uint8_t *low;

uint32_t isle_send(const void *frame, uint32_t length)
{
    memcpy(running->frame, frame, length);
    running->length = length;
    running->sent++;
    return 0;
}

static uint8_t *host_at(uint32_t high, uint32_t low_half, uint32_t length)
{
    uint64_t offset = ((uint64_t)high << 32 | low_half) - ISLE_SPIN_HOST;
    return offset <= RIG_HOST && length <= RIG_HOST - offset ? running->host + offset : NULL;
}

uint32_t isle_to_host(uint32_t high, uint32_t low_half, uint32_t from, uint32_t length)
{
    uint8_t *to = host_at(high, low_half, length);
    if (to)
        memcpy(to, (void *)(uintptr_t)from, length);
    return !to;
}

uint32_t isle_from_host(uint32_t high, uint32_t low_half, uint32_t to, uint32_t length)
{
    const uint8_t *from = host_at(high, low_half, length);
    if (from)
        memcpy((void *)(uintptr_t)to, from, length);
    return !from;
}

uint32_t isle_host_word(uint32_t high, uint32_t low_half, uint32_t data_high, uint32_t data_low)
{
    uint64_t word = (uint64_t)data_high << 32 | data_low;
    uint8_t *to = host_at(high, low_half, sizeof word);
    if (to)
        memcpy(to, &word, sizeof word);
    return !to;
}

uint32_t isle_host_wait(uint32_t number)
{
    return number;
}

uint32_t isle_cycles(void)
{
    return 0;
}

/* Memory that handlers see, below 4 GiB. */
static uint8_t *seen(size_t size)
{
    return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
}

bool direct_make(struct direct *d)
{
    low = seen(2 * PAGE_SIZE);
    *d = (struct direct){.handler = seen(RIG_HANDLER), .scratchpads = seen(SCRATCHPADS), .host = calloc(1, RIG_HOST)};
    return low != MAP_FAILED && d->handler != MAP_FAILED && d->scratchpads != MAP_FAILED && d->host;
}

void direct_free(struct direct *d)
{
    munmap(low, 2 * PAGE_SIZE);
    munmap(d->handler, RIG_HANDLER);
    munmap(d->scratchpads, SCRATCHPADS);
    free(d->host);
}

static handler_fn pick(int program, uint32_t handler)
{
    static const handler_fn only[] = {[DIRECT_UDP_PING] = udp_ping_ph, [DIRECT_ICMP_PING] = icmp_ping_ph, [DIRECT_FILTER] = filter_ph};
    handler_fn h[3] = {NULL, only[program], NULL};
    void *memory = NULL;
    if (program == DIRECT_MESSAGE)
        message_init(&h[0], &h[1], &h[2], &memory);
    else if (program == DIRECT_HISTOGRAM)
        histogram_init(&h[0], &h[1], &h[2], &memory);
    else if (program == DIRECT_REDUCE)
        reduce_init(&h[0], &h[1], &h[2], &memory);
    return h[handler];
}

void direct_run(struct direct *d, int program, uint32_t handler, uint32_t hpu, uint32_t queue, const uint8_t *frame, uint32_t length)
{
    task_t task = {.handler_mem = d->handler,
                   .handler_mem_size = RIG_HANDLER,
                   .pkt_mem = low,
                   .pkt_mem_size = length,
                   .host_mem_high = (uint32_t)(ISLE_SPIN_HOST >> 32),
                   .host_mem_size = RIG_HOST,
                   .l2_pkt_mem = low + PAGE_SIZE,
                   .flow_id = queue};
    handler_args_t args = {.task = &task, .hpu_gid = hpu, .cluster_id = hpu / NB_CORES, .hpu_id = hpu % NB_CORES};
    for (uint32_t c = 0; c < NB_CLUSTERS; c++) {
        task.scratchpad[c] = d->scratchpads + (c * ISLE_SPIN_QUEUES + queue) * RIG_SCRATCHPAD;
        task.scratchpad_size[c] = RIG_SCRATCHPAD;
    }
    memset(low, 0, PAGE_SIZE);
    memcpy(low, frame, length);
    running = d;
    d->sent = 0;
    handler_fn f = pick(program, handler);
    if (f)
        f(&args);
}
