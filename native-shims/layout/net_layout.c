/* Messages by which a process attaches to a net. */
#include "isle_net.h"
#include "layout.h"

void net_layout(void)
{
    STRUCT(isle_net_request);
    FIELD(isle_net_request, magic);
    FIELD(isle_net_request, version);
    FIELD(isle_net_request, bytes);
    FIELD(isle_net_request, app);
    FIELD(isle_net_request, _reserved);
    STRUCT(isle_net_reply);
    FIELD(isle_net_reply, magic);
    FIELD(isle_net_reply, version);
    FIELD(isle_net_reply, bytes);
    FIELD(isle_net_reply, status);
    FIELD(isle_net_reply, tiles);
    FIELD(isle_net_reply, app);
    FIELD(isle_net_reply, instance);
    FIELD(isle_net_reply, mtu);
    FIELD(isle_net_reply, address);
    FIELD(isle_net_reply, port_count);
    FIELD(isle_net_reply, ports);
    FIELD(isle_net_reply, tx_depth);
    FIELD(isle_net_reply, tx_bytes);
    FIELD(isle_net_reply, tx_mcache);
    FIELD(isle_net_reply, tx_dcache);
    FIELD(isle_net_reply, progress_bytes);
    FIELD(isle_net_reply, reason);
    STRUCT(isle_net_rx);
    FIELD(isle_net_rx, mcache_bytes);
    FIELD(isle_net_rx, mcache);
    FIELD(isle_net_rx, umem_bytes);
    FIELD(isle_net_rx, umem);
    FIELD(isle_net_rx, umem_size);
    FIELD(isle_net_rx, seq);
    FIELD(isle_net_rx, depth);
    FIELD(isle_net_rx, frame_bytes);
}
