/* Adds the words of packets, each to the one at its place: over all packets in handler memory, by queue and cluster in scratchpads. */
#include <handler.h>
#include <packets.h>
#include <spin_host.h>

#define WORDS 256

__handler__ void reduce_ph(handler_args_t *args)
{
    task_t *task = args->task;
    const uint8_t *payload = (const uint8_t *)task->pkt_mem + sizeof(pkt_hdr_t);
    volatile uint32_t *sums = task->handler_mem, *own = task->scratchpad[args->cluster_id];
    if (task->pkt_mem_size < sizeof(pkt_hdr_t))
        return;
    uint32_t words = (uint32_t)(task->pkt_mem_size - sizeof(pkt_hdr_t)) / sizeof(uint32_t);
    for (uint32_t i = 0; i < MIN(words, WORDS); i++) {
        uint32_t word;
        memcpy(&word, payload + i * sizeof word, sizeof word);
        amo_add(&sums[i], ntohl(word));
        amo_add(&own[i], ntohl(word));
    }
    amo_add(&sums[WORDS], 1);
}

/* the sums so far, at the queue's place in host pages */
__handler__ void reduce_th(handler_args_t *args)
{
    task_t *task = args->task;
    spin_cmd_t command;
    spin_dma_to_host(HOST_ADDR(args) + task->flow_id * 2048, (uint32_t)task->handler_mem, (WORDS + 1) * sizeof(uint32_t), 0, &command);
}

void init_handlers(handler_fn *hh, handler_fn *ph, handler_fn *th, void **handler_mem_ptr)
{
    volatile handler_fn handlers[] = {NULL, reduce_ph, reduce_th};
    (void)handler_mem_ptr;
    *hh = handlers[0];
    *ph = handlers[1];
    *th = handlers[2];
}
