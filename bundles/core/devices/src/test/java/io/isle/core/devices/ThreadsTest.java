package io.isle.core.devices;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.device.DeviceEvent;
import io.isle.lib.agent.SerialExecutor;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
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

  static Stream<Throwable> thrown() {
    return Stream.of(new IllegalStateException("planned"), new AssertionError("planned"));
  }

  private static void raise(Throwable what) {
    switch (what) {
      case Error error -> throw error;
      case RuntimeException exception -> throw exception;
      default -> throw new AssertionError(what);
    }
  }

  @AfterEach
  void close() {
    lanes.close();
    registry.close();
    listeners.close();
  }

  @ParameterizedTest
  @MethodSource("thrown")
  void whoMadeACallOfADriversOwnerHearsOfItAndTheNextOneIsMade(Throwable thrown) throws Exception {
    BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    lanes.call("soft0", () -> raise(thrown), failure -> heard.add(String.valueOf(failure)));
    assertTrue(heard.take().contains("planned"));
    lanes.call("soft0", () -> heard.add("made"), failure -> heard.add(String.valueOf(failure)));
    assertEquals("made", heard.take());
    assertEquals("null", heard.take());
  }

  @ParameterizedTest
  @MethodSource("thrown")
  void everyListenerHearsOfEveryEvent(Throwable thrown) throws Exception {
    BlockingQueue<DeviceEvent> heard = new LinkedBlockingQueue<>();
    listeners.add(event -> raise(thrown));
    listeners.add(heard::add);
    DeviceEvent event = new DeviceEvent.Removed(null);
    listeners.tell(event);
    listeners.tell(event);
    assertSame(event, heard.take());
    assertSame(event, heard.take());
  }
}
