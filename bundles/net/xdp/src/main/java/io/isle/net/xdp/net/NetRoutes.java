package io.isle.net.xdp.net;

import io.isle.net.xdp.netlink.Link;
import io.isle.net.xdp.netlink.NetView;
import java.util.List;

/** Routes of a net, in the table that tiles read. Belongs to the executor of the nets. */
interface NetRoutes extends AutoCloseable {
  /** A tile has missed the hardware address of a host. */
  void ask(int interfaceIndex, int address, long nowNs);

  /** Interfaces as they are now, ahead of the view. */
  List<Link> linksNow();

  /** Interfaces, addresses, routes, neighbours; any thread. */
  NetView view();

  /** Why tiles lack something; empty if they have all; any thread. */
  String problem();

  @Override
  void close();
}
