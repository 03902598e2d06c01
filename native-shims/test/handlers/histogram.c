/* Counts the bytes of packets, in the scratchpad of the queue and cluster. */
#include <handler.h>
#include <packets.h>

__handler__ void histogram_ph(handler_args_t *args)
{
    task_t *task = args->task;
    const uint8_t *bytes = task->pkt_mem;
    volatile int32_t *counts = task->scratchpad[args->cluster_id];
    for (uint32_t i = 0; i < task->pkt_mem_size; i++)
        amo_add(&counts[bytes[i]], 1);
    amo_max(&counts[256], (int32_t)task->pkt_mem_size);
}

__handler__ void histogram_th(handler_args_t *args)
{
    uint64_t host = (uint64_t)args->task->host_mem_high << 32 | args->task->host_mem_low;
    spin_host_write(host + 8 * args->task->flow_id, (uint64_t)1, false);
}

void init_handlers(handler_fn *hh, handler_fn *ph, handler_fn *th, void **handler_mem_ptr)
{
    volatile handler_fn handlers[] = {NULL, histogram_ph, histogram_th};
    (void)handler_mem_ptr;
    *hh = handlers[0];
    *ph = handlers[1];
    *th = handlers[2];
}
