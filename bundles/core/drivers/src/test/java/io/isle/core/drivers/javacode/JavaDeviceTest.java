package io.isle.core.drivers.javacode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.device.DeviceClass;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.driver.DriverException;
import io.isle.core.drivers.nativecode.FakeAttachment;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Java drivers that throw and hang. */
class JavaDeviceTest {
  private static final DeviceInfo INFO =
      new DeviceInfo(
          DeviceClass.OTHER,
          1,
          1,
          1,
          DeviceInfo.Preemption.NONE,
          4096,
          1,
          false,
          false,
          false,
          false);

  private final FakeAttachment attachment = new FakeAttachment();
  private final List<String> lost = new ArrayList<>();
  private final JavaServices services = new JavaServices("x0", attachment, lost::add);

  @AfterEach
  void close() {
    attachment.close();
  }

  /** A device whose every call ends as the supplier does. */
  private static AccelDevice device(Supplier<Object> all) {
    return (AccelDevice)
        Proxy.newProxyInstance(
            AccelDevice.class.getClassLoader(),
            new Class<?>[] {AccelDevice.class},
            (proxy, method, arguments) -> all.get());
  }

  private JavaDevice throwing(Throwable thrown) {
    return new JavaDevice(
        device(
            () -> {
              if (thrown instanceof Error error) {
                throw error;
              }
              throw (RuntimeException) thrown;
            }),
        INFO,
        services,
        Duration.ofSeconds(5));
  }

  @Test
  void aRefusalIsARefusal() {
    DriverException refusal = new DriverException(Errno.ENOSPC, "full");
    JavaDevice device = throwing(refusal);
    assertEquals(refusal, assertThrows(DriverException.class, device::resetDevice));
    assertEquals(List.of(), lost);
  }

  @Test
  void whatIsThrownByMistakeEndsTheDevice() {
    for (Throwable mistake :
        List.of(
            new IllegalStateException("oops"),
            new NoClassDefFoundError("Gone"),
            new StackOverflowError())) {
      DriverException seen =
          assertThrows(DriverException.class, () -> throwing(mistake).utilization());
      assertEquals(Errno.EIO, seen.code());
    }
    assertEquals(List.of("the driver failed: java.lang.IllegalStateException: oops"), lost);
    assertFalse(throwing(new IllegalStateException()).alive());
  }

  @Test
  void oneThatThrowsWhenAskedWhetherItLivesDoesNot() {
    assertFalse(throwing(new IllegalStateException("oops")).alive());
    assertEquals(List.of("the driver failed: java.lang.IllegalStateException: oops"), lost);
  }

  @Test
  void aDeviceThatDoesNotCloseIsLeftBehind() {
    CountDownLatch never = new CountDownLatch(1);
    JavaDevice device =
        new JavaDevice(
            device(
                () -> {
                  boolean interrupted = false;
                  while (!interrupted) {
                    try {
                      never.await();
                    } catch (InterruptedException e) {
                      interrupted = true;
                    }
                  }
                  return null;
                }),
            INFO,
            services,
            Duration.ofMillis(20));
    DriverException late = assertThrows(DriverException.class, device::close);
    assertEquals(Errno.ETIMEDOUT, late.code());
    assertTrue(services.isLost());
  }

  @Test
  void whatADriverSaysOfItsOwnEndIsACause() {
    List<RecoveryCause> causes = new ArrayList<>();
    JavaServices told =
        new JavaServices(
            "x0",
            attachment,
            why -> causes.add(new RecoveryCause(RecoveryCause.Kind.EXCEPTION, why)));
    told.lost("the cable was pulled");
    told.lost("again");
    assertEquals(
        List.of(new RecoveryCause(RecoveryCause.Kind.EXCEPTION, "the cable was pulled")), causes);
  }

  @Test
  void startsGoToThePlace() {
    services.started(5, 17);
    assertEquals(17, attachment.starts.get(5L));
  }
}
