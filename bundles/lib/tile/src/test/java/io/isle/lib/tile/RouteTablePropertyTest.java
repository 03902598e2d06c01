package io.isle.lib.tile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.lib.tile.RouteTable.Interface;
import io.isle.lib.tile.RouteTable.Kind;
import io.isle.lib.tile.RouteTable.Neighbor;
import io.isle.lib.tile.RouteTable.Route;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Look-ups against the rule as it is read, on tables in a small range of addresses. */
class RouteTablePropertyTest {
  private static final int ADDRESSES = 64;
  private static final int BASE = 0xC0A80000;

  private final MemorySegment memory = Arena.ofAuto().allocate(RouteTable.BYTES, 8);
  private final RouteTable table = new RouteTable(memory);
  private final RouteReader reader = new RouteReader(memory);

  private static int address(Random random) {
    return BASE + random.nextInt(ADDRESSES);
  }

  private static Route route(Random random) {
    int prefix = random.nextInt(8) == 0 ? 0 : 26 + random.nextInt(7);
    return new Route(
        random.nextInt(2),
        address(random) & (int) (0xFFFFFFFFL << (32 - prefix)),
        prefix,
        random.nextInt(3) - 1,
        Kind.values()[random.nextInt(Kind.values().length)],
        random.nextInt(4),
        random.nextBoolean() ? 0 : address(random),
        random.nextInt());
  }

  /** No two routes of one table may agree in destination and metric: the kernel has no such. */
  private static List<Route> routes(Random random) {
    Map<List<Integer>, Route> routes = new HashMap<>();
    for (int i = random.nextInt(12); i > 0; i--) {
      Route route = route(random);
      routes.put(
          List.of(route.table(), route.destination(), route.prefix(), route.metric()), route);
    }
    return new ArrayList<>(routes.values());
  }

  private static Optional<Route> wins(List<Route> routes, int number, int destination) {
    return routes.stream()
        .filter(route -> route.table() == number)
        .filter(
            route ->
                (route.destination() & 0xFFFFFFFFL) >>> (32 - route.prefix())
                    == (destination & 0xFFFFFFFFL) >>> (32 - route.prefix()))
        .min(
            Comparator.comparingInt((Route route) -> -route.prefix())
                .thenComparing(route -> route.metric() & 0xFFFFFFFFL));
  }

  private static Optional<Route> chosen(List<Route> routes, int destination) {
    return wins(routes, 0, destination)
        .filter(route -> route.kind() != Kind.THROW)
        .or(() -> wins(routes, 1, destination).filter(route -> route.kind() != Kind.THROW));
  }

  @Property(tries = 400)
  void theReaderAgreesWithTheRule(@ForAll long seed) {
    Random random = new Random(seed);
    for (int change = 0; change < 3; change++) {
      List<Route> routes = routes(random);
      Map<List<Integer>, Neighbor> neighbors = new HashMap<>();
      for (int i = random.nextInt(80); i > 0; i--) {
        Neighbor one = new Neighbor(random.nextInt(4), address(random), random.nextLong() >>> 16);
        neighbors.put(List.of(one.interfaceIndex(), one.address()), one);
      }
      List<Interface> interfaces = new ArrayList<>();
      for (int index = 0; index < 4; index++) {
        if (random.nextInt(4) > 0) {
          interfaces.add(new Interface(index, random.nextLong() >>> 16, random.nextBoolean()));
        }
      }
      table.replace(routes, new ArrayList<>(neighbors.values()), interfaces);
      for (int i = 0; i < 3 * ADDRESSES; i++) {
        int destination = address(random);
        assertAnswer(destination, chosen(routes, destination), neighbors, interfaces);
      }
    }
  }

  private void assertAnswer(
      int destination,
      Optional<Route> route,
      Map<List<Integer>, Neighbor> neighbors,
      List<Interface> interfaces) {
    int outcome = reader.lookup(destination);
    if (route.isEmpty() || route.get().kind() == Kind.REFUSES) {
      assertEquals(Routes.NO_ROUTE, outcome);
      return;
    }
    if (route.get().kind() == Kind.OTHER) {
      assertEquals(Routes.ROUTE_TYPE, outcome);
      return;
    }
    int index = route.get().interfaceIndex();
    Optional<Interface> by = interfaces.stream().filter(one -> one.index() == index).findFirst();
    if (by.isEmpty()) {
      assertEquals(Routes.NO_ROUTE, outcome);
      return;
    }
    assertEquals(index, reader.interfaceIndex());
    assertEquals(by.get().station(), reader.station());
    assertEquals(route.get().source(), reader.source());
    int hop = route.get().gateway() == 0 ? destination : route.get().gateway();
    Neighbor neighbor = neighbors.get(List.of(index, hop));
    if (!by.get().resolves()) {
      assertEquals(Routes.SENDS, outcome);
      assertEquals(0, reader.neighbor());
    } else if (neighbor == null) {
      assertEquals(Routes.NO_NEIGHBOR, outcome);
      assertEquals(hop, reader.nextHop());
    } else {
      assertEquals(Routes.SENDS, outcome);
      assertEquals(neighbor.station(), reader.neighbor());
    }
  }
}
