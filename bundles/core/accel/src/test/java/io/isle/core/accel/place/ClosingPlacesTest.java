package io.isle.core.accel.place;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.isle.core.accel.Bench;
import io.isle.core.accel.Mappings;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ClosingPlacesTest {
  private final long before = Mappings.count("isle-");
  private final Bench bench = new Bench();

  @AfterEach
  void close() {
    bench.close();
  }

  /** Nobody who plugs in under its name waits for ever. */
  @Test
  void withoutAThreadForItAPlaceIsClosedByTheCaller() {
    ExecutorService none = Executors.newCachedThreadPool();
    none.shutdown();
    try (ClosingPlaces closing = new ClosingPlaces(none)) {
      closing.begin(bench.place());
      assertFalse(closing.has("sim0"));
    }
    assertEquals(before, Mappings.count("isle-"));
  }
}
