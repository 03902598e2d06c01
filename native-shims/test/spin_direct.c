#define _GNU_SOURCE
#include "spin_direct.h"

#include <pspin.h>
#include <spin_host.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "spin_harness.h"

/* other processors only compile this */
#ifndef MAP_32BIT
#define MAP_32BIT 0
#endif

#define SCRATCHPADS (RIG_SCRATCHPAD * ISLE_SPIN_CLUSTERS * ISLE_SPIN_QUEUES)

volatile struct host_data __host_data;
volatile uint8_t dma_idx[CORE_COUNT];
static struct direct *running;
static uint32_t reserved;

uint32_t isle_send(const void *frame, uint32_t length)
{
    if (!length || length > sizeof running->frame)
        return SPIN_FAIL;
    memcpy(running->frame, frame, length);
    running->length = length;
    running->sent++;
    return 0;
}

uint32_t isle_put(uint32_t destination, const void *data, uint32_t length)
{
    (void)destination, (void)data, (void)length;
    return SPIN_FAIL;
}

static uint8_t *host_at(uint32_t high, uint32_t low_half, uint32_t length)
{
    uint64_t offset = ((uint64_t)high << 32 | low_half) - ISLE_SPIN_HOST;
    return offset <= running->host_bytes && length <= running->host_bytes - offset ? running->host + offset : NULL;
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

uint32_t isle_copy(const void *from, void *to, uint32_t length)
{
    memmove(to, from, length);
    return 0;
}

/* The host's answer is the request: what lies in the page stays there. */
uint32_t isle_host_wait(uint32_t number)
{
    uint64_t word;
    memcpy(&word, running->host + running->hpu * PAGE_SIZE, sizeof word);
    __host_data.flag[running->hpu] = word;
    return number;
}

uint32_t isle_cycles(void)
{
    return 0;
}

uint32_t isle_self(void)
{
    return running->hpu;
}

uint32_t isle_pause(uint32_t ticks)
{
    return ticks;
}

/* One task at a time: a reservation holds. */
uint32_t isle_reserve(volatile const uint32_t *word)
{
    return reserved = *word;
}

uint32_t isle_store_reserved(volatile uint32_t *word, uint32_t value)
{
    if (*word != reserved)
        return 1;
    *word = value;
    return 0;
}

/* Memory that handlers see, below 4 GiB. */
static uint8_t *seen(size_t size)
{
    return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
}

bool direct_make(struct direct *d, uint32_t handler_bytes, uint32_t host_bytes)
{
    *d = (struct direct){.handler = seen(handler_bytes),
                         .handler_bytes = handler_bytes,
                         .scratchpads = seen(SCRATCHPADS),
                         .host = calloc(1, host_bytes),
                         .host_bytes = host_bytes,
                         .copy = seen(2 * PAGE_SIZE)};
    d->packet = d->copy + PAGE_SIZE;
    return d->handler != MAP_FAILED && d->scratchpads != MAP_FAILED && d->host && d->copy != MAP_FAILED;
}

void direct_free(struct direct *d)
{
    munmap(d->copy, 2 * PAGE_SIZE);
    munmap(d->handler, d->handler_bytes);
    munmap(d->scratchpads, SCRATCHPADS);
    free(d->host);
}

void direct_packet(struct direct *d, const uint8_t *frame, uint32_t length)
{
    memset(d->packet, 0, PAGE_SIZE);
    memcpy(d->packet, frame, length);
    d->packet_bytes = length;
}

void direct_run(struct direct *d, direct_handler handler, uint32_t hpu, uint32_t queue)
{
    task_t task = {.handler_mem = d->handler,
                   .handler_mem_size = d->handler_bytes,
                   .pkt_mem = d->copy,
                   .pkt_mem_size = d->packet_bytes,
                   .host_mem_high = (uint32_t)(ISLE_SPIN_HOST >> 32),
                   .host_mem_size = d->host_bytes,
                   .l2_pkt_mem = d->packet,
                   .home_cluster_id = queue % NB_CLUSTERS,
                   .flow_id = queue};
    handler_args_t args = {.task = &task, .hpu_gid = hpu, .cluster_id = hpu / NB_CORES, .hpu_id = hpu % NB_CORES};
    for (uint32_t c = 0; c < NB_CLUSTERS; c++) {
        task.scratchpad[c] = d->scratchpads + (c * ISLE_SPIN_QUEUES + queue) * RIG_SCRATCHPAD;
        task.scratchpad_size[c] = RIG_SCRATCHPAD;
    }
    memset(d->copy, 0, PAGE_SIZE);
    memcpy(d->copy, d->packet, d->packet_bytes);
    running = d;
    d->hpu = hpu;
    d->sent = 0;
    if (handler)
        handler(&args);
}
