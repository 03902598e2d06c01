package io.isle.net.xdp.netlink;

import io.isle.lib.tile.RouteTable;
import io.isle.lib.tile.RouteTable.Interface;
import io.isle.lib.tile.RouteTable.Kind;
import io.isle.lib.tile.RouteTable.Neighbor;
import io.isle.lib.tile.RouteTable.Route;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes the kernel's tables local and main, in this order, with neighbours and interfaces, into
 * the table that tiles read. One thread at a time.
 */
public final class RouteMirror {
  private static final int TABLE_LOCAL = 0;
  private static final int TABLE_MAIN = 1;

  private final RouteTable table;
  private String problem = "";

  public RouteMirror(RouteTable table) {
    this.table = table;
  }

  /** Why the table lacks something of the kernel's, for the user; empty if it has all. */
  public String problem() {
    return problem;
  }

  /**
   * Replaces the table. Too many routes: the table has none, as a part of them would send packets
   * the wrong way. Too many neighbours: the table has the surest.
   */
  public void write(NetView view) {
    Index links = new Index(view.links());
    List<Route> routes =
        view.routes().stream().flatMap(route -> route(route, view, links).stream()).toList();
    List<Neighbor> neighbors =
        view.neighbours().stream()
            .filter(one -> one.isUsable() && links.resolving.contains(one.interfaceIndex()))
            .sorted(Comparator.comparingInt(RouteMirror::doubt))
            .map(one -> new Neighbor(one.interfaceIndex(), one.address(), one.station()))
            .toList();
    Set<Integer> used = routes.stream().map(Route::interfaceIndex).collect(Collectors.toSet());
    List<Interface> interfaces =
        view.links().stream()
            .filter(link -> link.isUp() && used.contains(link.index()))
            .map(link -> new Interface(link.index(), link.station(), link.resolves()))
            .toList();
    boolean all = routes.size() <= RouteTable.ROUTES && interfaces.size() <= RouteTable.INTERFACES;
    problem = problem(routes.size(), neighbors.size(), interfaces.size());
    table.replace(
        all ? routes : List.of(),
        neighbors.stream().limit(RouteTable.NEIGHBORS).toList(),
        all ? interfaces : List.of());
  }

  private static String problem(int routes, int neighbors, int interfaces) {
    if (routes > RouteTable.ROUTES) {
      return routes + " routes, of at most " + RouteTable.ROUTES + ": none is used";
    }
    if (interfaces > RouteTable.INTERFACES) {
      return "routes by %d interfaces, of at most %d: none is used"
          .formatted(interfaces, RouteTable.INTERFACES);
    }
    if (neighbors > RouteTable.NEIGHBORS) {
      return neighbors
          + " neighbours, of at most "
          + RouteTable.NEIGHBORS
          + ": the rest is unknown";
    }
    return "";
  }

  /** Lowest for the neighbours that stay longest. */
  private static int doubt(Neighbour one) {
    return (one.state() & Neighbour.PERMANENT) != 0
        ? 0
        : (one.state() & Neighbour.REACHABLE) != 0 ? 1 : 2;
  }

  private static Optional<Route> route(KernelRoute route, NetView view, Index links) {
    boolean local = route.table() == KernelRoute.LOCAL_TABLE;
    if (!local && route.table() != KernelRoute.MAIN) {
      return Optional.empty();
    }
    Kind kind = kind(route);
    int index = kind == Kind.LOCAL ? links.loopback : route.interfaceIndex();
    int mask = route.prefix() == 0 ? 0 : -1 << (32 - route.prefix());
    return Optional.of(
        new Route(
            local ? TABLE_LOCAL : TABLE_MAIN,
            route.destination() & mask,
            route.prefix(),
            route.metric(),
            kind,
            index,
            kind == Kind.LOCAL ? 0 : route.gateway(),
            source(route, view)));
  }

  private static Kind kind(KernelRoute route) {
    return switch (route.type()) {
      case KernelRoute.UNICAST -> route.serves() ? Kind.UNICAST : Kind.OTHER;
      case KernelRoute.LOCAL -> Kind.LOCAL;
      case KernelRoute.BLACKHOLE, KernelRoute.UNREACHABLE, KernelRoute.PROHIBIT -> Kind.REFUSES;
      case KernelRoute.THROW -> Kind.THROW;
      default -> Kind.OTHER;
    };
  }

  /**
   * As the kernel chooses: the preferred one, else the first address of the interface in the
   * network of the gateway, else its first, else the first of another interface.
   */
  private static int source(KernelRoute route, NetView view) {
    if (route.source() != 0) {
      return route.source();
    }
    List<InterfaceAddress> first =
        view.addresses().stream().filter(one -> !one.secondary() && one.scope() == 0).toList();
    Stream<InterfaceAddress> own =
        first.stream().filter(one -> one.interfaceIndex() == route.interfaceIndex());
    return own.min(
            Comparator.comparing(
                one -> route.gateway() == 0 || one.reaches(route.gateway()) ? 0 : 1))
        .or(() -> first.stream().findFirst())
        .map(InterfaceAddress::address)
        .orElse(0);
  }

  /** What is asked of interfaces again and again. */
  private static final class Index {
    private final int loopback;
    private final Set<Integer> resolving;

    Index(List<Link> links) {
      loopback =
          links.stream().filter(Link::isLoopback).mapToInt(Link::index).findFirst().orElse(0);
      resolving =
          links.stream().filter(Link::resolves).map(Link::index).collect(Collectors.toSet());
    }
  }
}
