/* Sends each UDP packet back. With -DDO_HOST=1 the host sees it first and says how much of it to send. */
#include <handler.h>
#include <packets.h>
#include <pspin.h>
#include <spin_dma.h>
#include <spin_host.h>

__handler__ void udp_ping_ph(handler_args_t *args)
{
    task_t *task = args->task;
    pkt_hdr_t *hdrs = task->pkt_mem;
    uint32_t length = task->pkt_mem_size, begin = cycles();
    spin_cmd_t command;
    if (length < sizeof *hdrs)
        return;

    mac_addr_t mac = hdrs->eth_hdr.src;
    hdrs->eth_hdr.src = hdrs->eth_hdr.dest;
    hdrs->eth_hdr.dest = mac;
    uint32_t address = hdrs->ip_hdr.source_id;
    hdrs->ip_hdr.source_id = hdrs->ip_hdr.dest_id;
    hdrs->ip_hdr.dest_id = address;
    uint16_t port = hdrs->udp_hdr.src_port;
    hdrs->udp_hdr.src_port = hdrs->udp_hdr.dst_port;
    hdrs->udp_hdr.dst_port = port;

    if (DO_HOST && fpspin_check_host_mem(args)) {
        spin_dma_to_host(HOST_PLD_ADDR(args), (uint32_t)task->pkt_mem, length, 1, &command);
        spin_cmd_wait(command);
        length = fpspin_host_req(args, length).len;
        spin_dma_from_host(HOST_PLD_ADDR(args), (uint32_t)task->pkt_mem, length, 1, &command);
        spin_cmd_wait(command);
    }
    spin_send_packet(task->pkt_mem, length, &command);
    spin_cmd_wait(command);
    push_counter(&__host_data.counters[0], cycles() - begin);
}
