package io.isle.fabric.ring.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.fabric.RingCounter;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.api.fabric.RingRole;
import io.isle.api.fabric.RingSide;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CounterTotalsTest {
  private static final RingNodeInfo NODE = Infos.up("n", RingRole.RELAY, "shm://a", "shm://b");

  @TempDir Path folder;
  private final CounterTotals totals = new CounterTotals();

  private static long value(CounterTotals totals, String name, RingSide side) {
    List<RingCounter> found =
        totals.of(List.of(NODE)).stream()
            .filter(one -> one.name().equals("isle_ring_" + name + "_total"))
            .filter(one -> one.side().equals(Optional.ofNullable(side)))
            .toList();
    assertEquals(1, found.size());
    assertEquals("r n", found.getFirst().ring() + " " + found.getFirst().node());
    return found.getFirst().value();
  }

  @Test
  void anotherObjectOfTheNodeGoesOnCounting() {
    assertEquals(33, totals.of(List.of(NODE)).size());
    assertEquals(5, value(totals, "lost", RingSide.NEXT));
    totals.keep(NODE);
    totals.keep(NODE);
    assertEquals(15, value(totals, "lost", RingSide.NEXT));
    assertEquals(9, value(totals, "dropped", null));
    totals.forget("n");
    assertEquals(5, value(totals, "lost", RingSide.NEXT));
  }

  @Test
  void anotherVersionOfTheBundleGoesOnCounting() {
    CounterFile file = new CounterFile(folder.resolve("counters"));
    file.read(totals);
    totals.keep(NODE);
    file.write(totals);
    CounterTotals later = new CounterTotals();
    file.read(later);
    assertEquals(26, value(later, "paths", RingSide.PREV));
    assertEquals(2, value(later, "resizes", null));
  }

  @Test
  void aBrokenFileCostsItsCountersOnly() throws IOException {
    Path path = folder.resolve("counters");
    CounterFile file = new CounterFile(path);
    for (String text : List.of("nonsense", "n\tnext\tlost\tmany", "../n\t\tlost\t3\n")) {
      assertTrue(Files.exists(Files.writeString(path, text)));
      file.read(totals);
    }
    assertEquals(5, value(totals, "lost", RingSide.NEXT));
  }
}
