package io.isle.lib.tile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.lib.tile.RouteTable.Interface;
import io.isle.lib.tile.RouteTable.Kind;
import io.isle.lib.tile.RouteTable.Neighbor;
import io.isle.lib.tile.RouteTable.Route;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A writer replaces the table as fast as it can while a reader looks addresses up: no answer mixes
 * two tables. Without the second look at the version, answers do.
 */
@Tag("alone")
@Timeout(60)
class RouteTableRaceTest {
  private static final int ADDRESSES = 256;
  private static final long LOOKUPS = 1_000_000;

  private final MemorySegment memory = Arena.ofAuto().allocate(RouteTable.BYTES, 8);
  private final RouteTable table = new RouteTable(memory);

  /** Every field of generation g tells g. */
  private static void write(RouteTable table, int g) {
    List<Route> routes = new ArrayList<>();
    List<Neighbor> neighbors = new ArrayList<>();
    for (int i = 0; i < ADDRESSES; i++) {
      routes.add(new Route(0, i, 32, 0, Kind.UNICAST, g, (g << 8) + i, g));
      neighbors.add(new Neighbor(g, (g << 8) + i, g));
    }
    table.replace(routes, neighbors, List.of(new Interface(g, g, true)));
  }

  @Test
  void noAnswerMixesTwoTables() throws InterruptedException {
    write(table, 1);
    AtomicBoolean ends = new AtomicBoolean();
    Thread writer =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (int g = 2; !ends.get(); g = g % 1_000_000 + 1) {
                    write(table, g);
                  }
                });
    try {
      RouteReader reader = new RouteReader(memory);
      long answers = 0;
      for (int i = 0; i < LOOKUPS; i++) {
        int outcome = reader.lookup(i % ADDRESSES);
        // a reader gives up when the writer wins too often
        if (outcome != Routes.NO_ROUTE) {
          int g = reader.interfaceIndex();
          assertEquals(Routes.SENDS, outcome);
          assertEquals(g, reader.source());
          assertEquals(g, reader.station());
          assertEquals(g, reader.neighbor());
          answers++;
        }
      }
      assertTrue(answers > LOOKUPS * 0.99, "answers " + answers);
    } finally {
      ends.set(true);
      writer.join();
    }
    assertTrue(
        table.version() > 100, "the writer replaced the table " + table.version() + " times");
  }
}
