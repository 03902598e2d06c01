package io.isle.core.accel.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.api.device.DeviceState;
import io.isle.core.accel.FakeDevice;
import io.isle.core.accel.TestLane;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CurrentOpeningTest {
  private static final int RECOVERIES = 20_000;

  private final TestLane owner =
      new TestLane("sim0", () -> true, Duration.ofSeconds(1), cause -> {});
  private final ControlLane lane = new ControlLane(owner);
  private final CurrentOpening currentOpening = new CurrentOpening("sim0");

  private OpenDevice opened() {
    return OpenDevice.asked(new FakeDevice() {}, 1, lane);
  }

  @Test
  void aDeviceThatRecoversNeverLooksLost() throws InterruptedException {
    OpenDevice device = opened();
    currentOpening.put(device);
    AtomicBoolean over = new AtomicBoolean();
    Thread recoveries =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (int i = 0; i < RECOVERIES; i++) {
                    var ignored = currentOpening.take();
                    currentOpening.put(device);
                  }
                  over.set(true);
                });
    while (!over.get()) {
      assertNotEquals(DeviceState.FAILED, currentOpening.state());
      assertEquals(device, currentOpening.knownDevice());
      try {
        assertEquals(device, currentOpening.device());
      } catch (AccelException e) {
        assertEquals(Errno.EINTR, e.code(), e.getMessage());
      }
    }
    recoveries.join();
    owner.abort();
  }

  @Test
  void oneThatIsGivenUpIsLost() {
    assertEquals(DeviceState.FAILED, currentOpening.state());
    currentOpening.put(opened());
    assertEquals(DeviceState.ACTIVE, currentOpening.state());
    var ignored = currentOpening.take();
    assertEquals(DeviceState.RECOVERING, currentOpening.state());
    currentOpening.lose("test");
    assertEquals(DeviceState.FAILED, currentOpening.state());
    owner.abort();
  }
}
