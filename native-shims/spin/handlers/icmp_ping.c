/* Answers ICMP echo requests. With -DDO_HOST=1 the host makes the answer of the request, whose addresses are swapped already. */
#include <handler.h>
#include <packets.h>
#include <pspin.h>
#include <spin_dma.h>
#include <spin_host.h>

typedef struct {
    uint8_t type, code;
    uint16_t checksum;
    uint16_t id, sequence;
} __attribute__((packed)) icmp_hdr_t;

typedef struct {
    eth_hdr_t eth_hdr;
    ip_hdr_t ip_hdr;
    icmp_hdr_t icmp_hdr;
} __attribute__((packed)) echo_hdr_t;

__handler__ void icmp_ping_ph(handler_args_t *args)
{
    task_t *task = args->task;
    echo_hdr_t *hdrs = task->pkt_mem;
    uint32_t length = task->pkt_mem_size, begin = cycles();
    spin_cmd_t command;
    if (length < sizeof *hdrs)
        return;

    /* frames of Ethernet may be longer than what they carry */
    uint32_t packet = ntohs(hdrs->ip_hdr.length);
    if (packet < sizeof(ip_hdr_t) + sizeof(icmp_hdr_t) || packet > length - sizeof(eth_hdr_t))
        return;
    mac_addr_t mac = hdrs->eth_hdr.src;
    hdrs->eth_hdr.src = hdrs->eth_hdr.dest;
    hdrs->eth_hdr.dest = mac;
    uint32_t address = hdrs->ip_hdr.source_id;
    hdrs->ip_hdr.source_id = hdrs->ip_hdr.dest_id;
    hdrs->ip_hdr.dest_id = address;

    if (DO_HOST && fpspin_check_host_mem(args)) {
        spin_dma_to_host(HOST_PLD_ADDR(args), (uint32_t)task->pkt_mem, length, 1, &command);
        spin_cmd_wait(command);
        length = fpspin_host_req(args, length).len;
        spin_dma_from_host(HOST_PLD_ADDR(args), (uint32_t)task->pkt_mem, length, 1, &command);
        spin_cmd_wait(command);
    } else {
        hdrs->icmp_hdr.type = 0;
        hdrs->icmp_hdr.checksum = 0;
        hdrs->icmp_hdr.checksum = ip_checksum(&hdrs->icmp_hdr, packet - sizeof(ip_hdr_t));
        length = packet + sizeof(eth_hdr_t);
    }
    spin_send_packet(task->pkt_mem, length, &command);
    spin_cmd_wait(command);
    push_counter(&__host_data.counters[0], cycles() - begin);
}
