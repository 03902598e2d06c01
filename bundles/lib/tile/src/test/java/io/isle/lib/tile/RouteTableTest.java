package io.isle.lib.tile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.isle.lib.tile.RouteTable.Interface;
import io.isle.lib.tile.RouteTable.Kind;
import io.isle.lib.tile.RouteTable.Neighbor;
import io.isle.lib.tile.RouteTable.Route;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class RouteTableTest {
  private static final int LO = 1;
  private static final int ETH = 2;
  private static final List<Interface> INTERFACES =
      List.of(new Interface(LO, 0, false), new Interface(ETH, 0x020000000001L, true));

  private final MemorySegment memory = Arena.ofAuto().allocate(RouteTable.BYTES, 8);
  private final RouteTable table = new RouteTable(memory);
  private final RouteReader reader = new RouteReader(memory.asReadOnly());

  private static int ip(int a, int b, int c, int d) {
    return a << 24 | b << 16 | c << 8 | d;
  }

  private static Route route(int destination, int prefix, int metric, Kind kind, int gateway) {
    return new Route(1, destination, prefix, metric, kind, ETH, gateway, ip(10, 0, 0, 1));
  }

  @Test
  void theLongestPrefixWinsThenTheLowestMetric() {
    Neighbor one = new Neighbor(ETH, ip(10, 0, 0, 2), 0xA1);
    Neighbor two = new Neighbor(ETH, ip(10, 0, 0, 3), 0xA2);
    table.replace(
        List.of(
            route(0, 0, 100, Kind.UNICAST, two.address()),
            route(0, 0, 50, Kind.UNICAST, one.address()),
            route(ip(10, 0, 0, 0), 8, 0, Kind.UNICAST, 0),
            route(ip(10, 9, 0, 0), 16, -1, Kind.UNICAST, two.address()),
            route(ip(10, 9, 0, 0), 16, 7, Kind.REFUSES, 0)),
        List.of(one, two),
        INTERFACES);

    assertEquals(Routes.SENDS, reader.lookup(ip(8, 8, 8, 8)));
    assertEquals(0xA1, reader.neighbor(), "the lowest metric");
    assertEquals(one.address(), reader.nextHop());
    assertEquals(0x020000000001L, reader.station());
    assertEquals(ETH, reader.interfaceIndex());
    assertEquals(ip(10, 0, 0, 1), reader.source());
    assertEquals(Routes.SENDS, reader.lookup(two.address()), "on the link");
    assertEquals(0xA2, reader.neighbor());
    assertEquals(Routes.NO_ROUTE, reader.lookup(ip(10, 9, 1, 1)), "metrics are unsigned");
    assertEquals(Routes.NO_NEIGHBOR, reader.lookup(ip(10, 0, 0, 9)));
    assertEquals(ip(10, 0, 0, 9), reader.nextHop());
    assertEquals(ETH, reader.interfaceIndex());
  }

  @Test
  void tablesComeInTheirOrderAndAThrowLeavesOne() {
    int own = ip(10, 0, 0, 1);
    table.replace(
        List.of(
            new Route(0, own, 32, 0, Kind.LOCAL, LO, 0, own),
            new Route(0, ip(10, 0, 0, 255), 32, 0, Kind.OTHER, ETH, 0, own),
            new Route(0, ip(10, 1, 0, 0), 16, 0, Kind.THROW, 0, 0, 0),
            new Route(0, ip(10, 0, 0, 0), 8, 9, Kind.REFUSES, 0, 0, 0),
            new Route(1, ip(10, 1, 2, 0), 24, 0, Kind.LOCAL, LO, 0, own),
            new Route(1, own, 32, 0, Kind.REFUSES, 0, 0, 0)),
        List.of(),
        INTERFACES);

    assertEquals(Routes.SENDS, reader.lookup(own));
    assertEquals(LO, reader.interfaceIndex());
    assertEquals(0, reader.neighbor());
    assertEquals(0, reader.station());
    assertEquals(Routes.ROUTE_TYPE, reader.lookup(ip(10, 0, 0, 255)));
    assertEquals(Routes.NO_ROUTE, reader.lookup(ip(10, 0, 0, 7)));
    assertEquals(Routes.SENDS, reader.lookup(ip(10, 1, 2, 3)), "behind the throw");
    assertEquals(Routes.NO_ROUTE, reader.lookup(ip(11, 0, 0, 1)), "no route at all");
  }

  @Test
  void aKeptAnswerEndsWithTheTable() {
    assertEquals(Routes.NO_ROUTE, reader.lookup(5), "a new table is empty");
    table.replace(List.of(route(0, 0, 0, Kind.UNICAST, 9)), List.of(), INTERFACES);
    assertEquals(Routes.NO_NEIGHBOR, reader.lookup(5));
    table.replace(
        List.of(route(0, 0, 0, Kind.UNICAST, 9)), List.of(new Neighbor(ETH, 9, 0)), INTERFACES);
    assertEquals(Routes.SENDS, reader.lookup(5), "a hardware address of 0 is one");
    table.replace(List.of(route(0, 0, 0, Kind.UNICAST, 9)), List.of(), List.of());
    assertEquals(Routes.NO_ROUTE, reader.lookup(5), "an interface that is down");
    assertEquals(3, table.version());
    RouteTable next = new RouteTable(memory);
    assertEquals(3, next.version(), "the next writer goes on");
    next.replace(List.of(), List.of(), List.of());
    assertEquals(Routes.NO_ROUTE, reader.lookup(5));
  }

  @Test
  void aFullTableIsFoundAndAFullerOneRefused() {
    List<Route> routes = new ArrayList<>();
    List<Neighbor> neighbors = new ArrayList<>();
    for (int i = 0; i < RouteTable.ROUTES; i++) {
      routes.add(route(ip(20, 0, 0, 0) + i, 32, 0, Kind.UNICAST, ip(30, 0, 0, 0) + i));
      neighbors.add(new Neighbor(ETH, ip(30, 0, 0, 0) + i, 1000 + i));
    }
    Collections.reverse(neighbors);
    table.replace(routes, neighbors, INTERFACES);
    for (int i = 0; i < RouteTable.ROUTES; i++) {
      assertEquals(Routes.SENDS, reader.lookup(ip(20, 0, 0, 0) + i));
      assertEquals(1000 + i, reader.neighbor());
    }
    assertEquals(Routes.NO_ROUTE, reader.lookup(ip(20, 1, 0, 0)));
    routes.add(routes.getFirst());
    neighbors.add(neighbors.getFirst());
    refused("1025 routes", routes, List.of(), List.of());
    refused("1025 neighbors", List.of(), neighbors, List.of());
    refused("65 interfaces", List.of(), List.of(), Collections.nCopies(65, INTERFACES.get(0)));
    refused("behind the prefix", List.of(route(1, 8, 0, Kind.UNICAST, 0)), List.of(), List.of());
    refused("out of range", List.of(route(0, 33, 0, Kind.UNICAST, 0)), List.of(), List.of());
    assertEquals(1, table.version(), "the old table stays");
  }

  private void refused(
      String part, List<Route> routes, List<Neighbor> neighbors, List<Interface> interfaces) {
    String message =
        assertThrows(
                IllegalArgumentException.class, () -> table.replace(routes, neighbors, interfaces))
            .getMessage();
    assertTrue(message.contains(part), message);
  }

  @Test
  void foreignMemoryIsRefused() {
    MemorySegment other = Arena.ofAuto().allocate(RouteTable.BYTES, 8);
    assertThrows(IllegalArgumentException.class, () -> new RouteReader(other));
    other.fill((byte) 7);
    assertThrows(IllegalArgumentException.class, () -> new RouteTable(other));
    MemorySegment small = other.asSlice(0, 64);
    assertThrows(IllegalArgumentException.class, () -> new RouteTable(small));
    assertThrows(IllegalArgumentException.class, () -> new RouteReader(small));
  }

  @Test
  void lookUpsAllocateNothing() {
    table.replace(List.of(route(0, 0, 0, Kind.UNICAST, 0)), List.of(), INTERFACES);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    double least = Double.MAX_VALUE;
    for (int round = 0; round < 25 && least >= 0.5; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < 20_000; i++) {
        int ignored = reader.lookup(i * 7919);
      }
      least = (threads.getCurrentThreadAllocatedBytes() - before) / 20_000.0;
    }
    assertTrue(least < 0.5, least + " bytes a look-up");
  }
}
