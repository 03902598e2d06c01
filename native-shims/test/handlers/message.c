/* Messages in packets: each packet's payload goes to its place in host memory and is acknowledged; the tail tells the host of the whole. */
#include <handler.h>
#include <packets.h>
#include <pspin.h>
#include <spin_dma.h>
#include <spin_host.h>

/* in handler memory */
typedef struct {
    uint32_t begun, packets, bytes;
} totals_t;

static uint32_t payload_of(task_t *task)
{
    uint32_t most = task->pkt_mem_size - sizeof(slmp_pkt_hdr_t), said = SLMP_PAYLOAD_LEN((slmp_pkt_hdr_t *)task->pkt_mem);
    return MIN(said, most);
}

__handler__ void message_hh(handler_args_t *args)
{
    totals_t *totals = args->task->handler_mem;
    amo_add(&totals[args->task->flow_id].begun, 1);
}

__handler__ void message_ph(handler_args_t *args)
{
    task_t *task = args->task;
    totals_t *totals = task->handler_mem;
    slmp_pkt_hdr_t *hdrs = task->pkt_mem;
    uint16_t flags = ntohs(hdrs->slmp_hdr.flags);
    spin_cmd_t command;
    if (task->pkt_mem_size < sizeof *hdrs)
        return;
    spin_dma_to_host(HOST_ADDR(args) + CORE_COUNT * PAGE_SIZE + ntohl(hdrs->slmp_hdr.pkt_off), (uint32_t)(hdrs + 1), payload_of(task), 0, &command);
    amo_add(&totals[task->flow_id].packets, 1);
    amo_add(&totals[task->flow_id].bytes, payload_of(task));
    if (!SYN(flags))
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
    hdrs->ip_hdr.length = htons(sizeof(ip_hdr_t) + sizeof(udp_hdr_t) + sizeof(slmp_hdr_t));
    hdrs->ip_hdr.checksum = 0;
    hdrs->ip_hdr.checksum = ip_checksum(&hdrs->ip_hdr, sizeof(ip_hdr_t));
    hdrs->udp_hdr.length = htons(sizeof(udp_hdr_t) + sizeof(slmp_hdr_t));
    hdrs->udp_hdr.checksum = 0;
    hdrs->slmp_hdr.flags = htons(MKACK);
    spin_send_packet(task->pkt_mem, sizeof *hdrs, &command);
}

__handler__ void message_th(handler_args_t *args)
{
    /* the packet as it came: what the packet handler did to its copy is gone */
    slmp_pkt_hdr_t *hdrs = args->task->pkt_mem;
    if (EOM(ntohs(hdrs->slmp_hdr.flags)))
        spin_write_to_host(HOST_ADDR_HPU(args), (uint64_t)ntohl(hdrs->slmp_hdr.pkt_off) + payload_of(args->task), NULL);
}

void init_handlers(handler_fn *hh, handler_fn *ph, handler_fn *th, void **handler_mem_ptr)
{
    volatile handler_fn handlers[] = {message_hh, message_ph, message_th};
    (void)handler_mem_ptr;
    *hh = handlers[0];
    *ph = handlers[1];
    *th = handlers[2];
}
