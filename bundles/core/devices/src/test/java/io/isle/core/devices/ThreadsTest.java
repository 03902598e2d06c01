package io.isle.core.devices;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.device.DeviceEvent;
import io.isle.core.testing.Thrown;
import io.isle.lib.agent.SerialExecutor;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the threads of the device tree survive: whatever they run. */
@Timeout(60)
class ThreadsTest {
  private final SerialExecutor registry = new SerialExecutor("isle-test-devices");
  private final DeviceLanes lanes = new DeviceLanes(registry);
  private final Listeners listeners = new Listeners();

  @AfterEach
  void close() {
    lanes.close();
    registry.close();
    listeners.close();
  }

  @ParameterizedTest
  @MethodSource("io.isle.core.testing.Thrown#kinds")
  void whoMadeACallOfADriversOwnerHearsOfItAndTheNextOneIsMade(Throwable thrown) throws Exception {
    BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    lanes.call("soft0", () -> Thrown.raise(thrown), failure -> heard.add(String.valueOf(failure)));
    assertTrue(heard.take().contains("planned"));
    lanes.call("soft0", () -> heard.add("made"), failure -> heard.add(String.valueOf(failure)));
    assertEquals("made", heard.take());
    assertEquals("null", heard.take());
  }

  @ParameterizedTest
  @MethodSource("io.isle.core.testing.Thrown#kinds")
  void everyListenerHearsOfEveryEvent(Throwable thrown) throws Exception {
    BlockingQueue<DeviceEvent> heard = new LinkedBlockingQueue<>();
    listeners.add(event -> Thrown.raise(thrown));
    listeners.add(heard::add);
    DeviceEvent event = new DeviceEvent.Removed(null);
    listeners.tell(event);
    listeners.tell(event);
    assertSame(event, heard.take());
    assertSame(event, heard.take());
  }
}
