/* Sends packets on whose source is in a table in handler memory, to the address that stands there; counts those and the others. */
#include <handler.h>
#include <packets.h>

#define ENTRIES 1024

typedef struct {
    uint32_t source, to; /* in network order; source 0: none */
} entry_t;

typedef struct {
    entry_t entries[ENTRIES];
    volatile uint32_t sent, dropped;
} table_t;

__handler__ void filter_ph(handler_args_t *args)
{
    table_t *table = args->task->handler_mem;
    pkt_hdr_t *hdrs = args->task->pkt_mem;
    uint32_t source = hdrs->ip_hdr.source_id, at = (source * 2654435761u) >> 22;
    const entry_t *entry = &table->entries[at];
    spin_cmd_t command;
    if (args->task->pkt_mem_size < sizeof *hdrs || !source || entry->source != source) {
        amo_add(&table->dropped, 1);
        return;
    }
    amo_add(&table->sent, 1);
    hdrs->ip_hdr.dest_id = entry->to;
    hdrs->ip_hdr.checksum = 0;
    hdrs->ip_hdr.checksum = ip_checksum(&hdrs->ip_hdr, sizeof(ip_hdr_t));
    spin_send_packet(hdrs, args->task->pkt_mem_size, &command);
}
