package io.isle.net.xdp.netlink;

import java.util.List;
import java.util.Optional;

/** What the kernel has in one namespace: interfaces, IPv4 addresses, routes, neighbours. */
public record NetView(
    List<Link> links,
    List<InterfaceAddress> addresses,
    List<KernelRoute> routes,
    List<Neighbour> neighbours) {
  /** Nothing. */
  public static final NetView EMPTY = new NetView(List.of(), List.of(), List.of(), List.of());

  /** The interface of this name. */
  public Optional<Link> link(String name) {
    return links.stream().filter(link -> link.name().equals(name)).findFirst();
  }
}
