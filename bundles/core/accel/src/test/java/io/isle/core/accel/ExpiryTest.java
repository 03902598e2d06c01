package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.Context;
import io.isle.api.driver.DevicePort;
import io.isle.core.accel.settings.AccelLimits;
import io.isle.core.accel.settings.SchedulingChoice;
import io.isle.core.testing.Until;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The end of a managed device to which no driver comes back, while its last driver does not return.
 */
@Timeout(60)
class ExpiryTest {
  private static final long TEN_MINUTES_MS = 600_000;

  private final long before = Mappings.count("isle-");
  private final Fixture fixture = new Fixture(new AccelLimits(4, TEN_MINUTES_MS, 50, 0, 10));
  private final CountDownLatch release = new CountDownLatch(1);

  @BeforeEach
  void hang() throws InterruptedException {
    CountDownLatch inside = new CountDownLatch(1);
    fixture.device.inSubmit =
        () -> {
          inside.countDown();
          LifeCycleTest.awaitQuietly(release);
        };
    Context context = fixture.context();
    assertEquals(1, context.submit(context.writer()));
    inside.await();
    fixture.attachment.detach("the driver service stopped");
    assertTrue(Until.holds(() -> fixture.core.device("sim0").isEmpty()));
  }

  @AfterEach
  void close() {
    release.countDown();
    fixture.close();
  }

  @Test
  void otherDevicesGoOnWhileItCloses() {
    DevicePort.Attachment other = fixture.core.attach("other0");
    fixture.core.configure(new AccelLimits(8, TEN_MINUTES_MS, 50, 0, 10));
    fixture.core.schedule(Map.of("other0", SchedulingChoice.AUTO));
    other.detach("the driver service stopped");
    assertTrue(Until.holds(() -> fixture.core.device("other0").isEmpty()), "its own timer");
    fixture.core.attach("other0").close();
  }

  @Test
  void attachingUnderItsNameWaitsUntilItIsClosed() throws Exception {
    CompletableFuture<DevicePort.Attachment> next =
        CompletableFuture.supplyAsync(() -> fixture.core.attach("sim0"));
    fixture.core.attach("other0").close();
    assertFalse(next.isDone(), "two managed devices of one name");
    release.countDown();
    next.get().close();
    assertTrue(fixture.core.device("sim0").isEmpty());
  }

  @Test
  void theCoreStopsWhenItIsClosed() throws Exception {
    CompletableFuture<Void> stopped = CompletableFuture.runAsync(fixture.core::close);
    assertFalse(stopped.isDone());
    release.countDown();
    stopped.get();
    assertEquals(before, Mappings.count("isle-"));
  }
}
