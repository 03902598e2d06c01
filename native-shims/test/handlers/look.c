/* Copies what a handler gets into its host page: arguments, task, packet memory. */
#include <handler.h>
#include <packets.h>
#include <spin_host.h>

#include "look.h"

volatile uint8_t before[] __attribute__((section(".l2_handler_data"))) = {1, 2, 3};
static uint32_t seen; /* of all HPUs */

static void look(handler_args_t *args, uint32_t handler)
{
    task_t *task = args->task;
    struct look l = {
        .magic = LOOK_MAGIC,
        .handler = handler,
        .hpu = args->hpu_gid,
        .cluster = args->cluster_id,
        .core = args->hpu_id,
        .core_by_call = rt_core_id(),
        .cluster_by_call = rt_cluster_id(),
        .task_bytes = sizeof *task,
        .handler_mem_size = task->handler_mem_size,
        .behind_image = (uint32_t)task->handler_mem - (uint32_t)before,
        .packet_bytes = task->pkt_mem_size,
        .scratchpad_size = task->scratchpad_size[1],
        .host_high = task->host_mem_high,
        .host_low = task->host_mem_low,
        .host_size = task->host_mem_size,
        .home = task->home_cluster_id,
        .flow = task->flow_id,
        .runs = (uint32_t)amo_add(&seen, 1) + 1,
        .writable = before[2]++,
        .same_packet = !memcmp(task->pkt_mem, task->l2_pkt_mem, task->pkt_mem_size),
        .cycles = cycles(),
        .can_ask = fpspin_check_host_mem(args),
    };
    amo_add((uint32_t *)task->scratchpad[0], 1);
    amo_add((uint32_t *)task->scratchpad[1], 2);
    amo_add((uint32_t *)task->handler_mem, 1);
    spin_cmd_t command;
    spin_dma_to_host(HOST_ADDR_HPU(args), (uint32_t)&l, sizeof l, 0, &command);
    spin_dma_to_host(HOST_ADDR_HPU(args) + LOOK_L1, (uint32_t)task->pkt_mem, 2048, 0, &command);
    memset(task->pkt_mem, 0xee, 4096);
    memset(task->l2_pkt_mem, 0xdd, 1);
    memset(task, 0xee, sizeof *task);
    memset(args, 0xee, sizeof *args);
}

__handler__ void look_hh(handler_args_t *args)
{
    look(args, 0);
}

__handler__ void look_ph(handler_args_t *args)
{
    look(args, 1);
}

__handler__ void look_th(handler_args_t *args)
{
    look(args, 2);
}
