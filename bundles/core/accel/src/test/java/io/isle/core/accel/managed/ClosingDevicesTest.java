package io.isle.core.accel.managed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.isle.core.accel.Fixture;
import io.isle.core.accel.Mappings;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ClosingDevicesTest {
  private final long before = Mappings.count("isle-");
  private final Fixture fixture = new Fixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  /** A device that is attached under its name does not wait for ever. */
  @Test
  void withoutAThreadForItAPlaceIsClosedByTheCaller() {
    ExecutorService none = Executors.newCachedThreadPool();
    none.shutdown();
    try (ClosingDevices closing = new ClosingDevices(none)) {
      closing.begin(fixture.device());
      assertFalse(closing.has("sim0"));
    }
    assertEquals(before, Mappings.count("isle-"));
  }
}
