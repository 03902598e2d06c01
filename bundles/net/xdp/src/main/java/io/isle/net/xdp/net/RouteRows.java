package io.isle.net.xdp.net;

import io.isle.api.net.NetRoute;
import io.isle.lib.packet.Ipv4;
import io.isle.net.xdp.netlink.KernelRoute;
import io.isle.net.xdp.netlink.Link;
import io.isle.net.xdp.netlink.NetView;
import java.util.Comparator;
import java.util.List;

/** The kernel's routes as users read them. */
final class RouteRows {
  private RouteRows() {}

  /** Tables local and main, the longest prefix first. */
  static List<NetRoute> of(NetView view) {
    return view.routes().stream()
        .filter(RouteRows::isUsed)
        .sorted(
            Comparator.comparing((KernelRoute route) -> route.table() != KernelRoute.LOCAL_TABLE)
                .thenComparing(route -> -route.prefix())
                .thenComparing(KernelRoute::metric, Integer::compareUnsigned))
        .map(route -> row(route, view))
        .toList();
  }

  private static boolean isUsed(KernelRoute route) {
    return route.table() == KernelRoute.LOCAL_TABLE || route.table() == KernelRoute.MAIN;
  }

  private static NetRoute row(KernelRoute route, NetView view) {
    return new NetRoute(
        route.table() == KernelRoute.LOCAL_TABLE ? "local" : "main",
        Ipv4.text(route.destination()) + "/" + route.prefix(),
        route.metric(),
        kind(route),
        view.links().stream()
            .filter(link -> link.index() == route.interfaceIndex())
            .map(Link::name)
            .findFirst()
            .orElse(""),
        text(route.gateway()),
        text(route.source()));
  }

  private static String kind(KernelRoute route) {
    return switch (route.type()) {
      case KernelRoute.UNICAST -> route.serves() ? "unicast" : "other";
      case KernelRoute.LOCAL -> "local";
      case KernelRoute.BLACKHOLE, KernelRoute.UNREACHABLE, KernelRoute.PROHIBIT -> "refuses";
      case KernelRoute.THROW -> "throw";
      default -> "other";
    };
  }

  private static String text(int address) {
    return address == 0 ? "" : Ipv4.text(address);
  }
}
