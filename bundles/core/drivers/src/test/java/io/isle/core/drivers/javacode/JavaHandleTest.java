package io.isle.core.drivers.javacode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.device.DeviceClass;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.ComputeReports;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.Display;
import io.isle.api.driver.Driver;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.DriverInfo;
import io.isle.api.driver.DriverServices;
import io.isle.api.driver.Health;
import io.isle.api.driver.Scanout;
import io.isle.core.drivers.driver.DriverHandle;
import io.isle.core.drivers.driver.OpenedDevice;
import io.isle.core.drivers.nativecode.FakeAttachment;
import io.isle.core.drivers.supervision.Rig;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Java drivers whose devices open late, half or strangely. */
class JavaHandleTest {
  private static final DriverInfo DRIVER =
      new DriverInfo("x", "1", DriverInfo.KABI, List.of(), false);

  private final FakeAttachment attachment = new FakeAttachment();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final CountDownLatch mayOpen = new CountDownLatch(1);
  private volatile boolean logs;
  private volatile boolean throwsInfo;
  private volatile boolean throwsExtension;
  private volatile List<Class<?>> extensions = List.of();

  @AfterEach
  void close() {
    mayOpen.countDown();
    attachment.close();
  }

  private AccelDevice device() {
    return (AccelDevice)
        Proxy.newProxyInstance(
            AccelDevice.class.getClassLoader(),
            new Class<?>[] {AccelDevice.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "info" -> info();
                  case "extension" -> extension((Class<?>) arguments[0]);
                  case "close" -> {
                    closed.countDown();
                    yield null;
                  }
                  default -> throw new AssertionError(method.getName());
                });
  }

  private DeviceInfo info() {
    if (throwsInfo) {
      throw new IllegalStateException("the driver forgot");
    }
    return new DeviceInfo(
        DeviceClass.NPU, 1, 1, 1, DeviceInfo.Preemption.NONE, 4096, 1, false, false, false, false);
  }

  private Optional<Object> extension(Class<?> type) {
    if (throwsExtension) {
      throw new IllegalStateException("the driver forgot");
    }
    return extensions.contains(type) ? Optional.of(type) : Optional.empty();
  }

  private OpenedDevice open(Duration bound) {
    Driver driver =
        new Driver() {
          @Override
          public DriverInfo info() {
            return DRIVER;
          }

          @Override
          public List<DeviceSeed> probe() {
            return List.of();
          }

          @Override
          public AccelDevice open(
              DeviceSeed seed, Map<String, String> settings, DriverServices services) {
            waits();
            if (logs) {
              services.log(System.Logger.Level.ERROR, "the fan stands still");
              services.log(System.Logger.Level.ERROR, "the power\u0000 is off");
              for (int i = 0; i < 5; i++) {
                services.log(System.Logger.Level.WARNING, "it is dark");
              }
            }
            return device();
          }
        };
    return new JavaHandle(driver, DRIVER, List.of(), "test", bound)
        .open(
            new DriverHandle.OpenRequest(
                Rig.spec(1, Map.of()),
                1,
                attachment,
                cause -> {},
                Optional.empty(),
                attachment.completions()));
  }

  /** As a driver does that hears no interruption. */
  private void waits() {
    boolean interrupted = false;
    boolean open = false;
    while (!open) {
      try {
        mayOpen.await();
        open = true;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void whatItSaidAtItsOpeningIsKept() {
    mayOpen.countDown();
    OpenedDevice opened = open(JavaDevice.BOUND);
    throwsInfo = true;
    assertEquals(DeviceClass.NPU, opened.device().info().deviceClass());
  }

  @Test
  void whatItHasIsListedAsOfANativeDevice() {
    mayOpen.countDown();
    extensions = List.of(Scanout.class, Display.class, Health.class);
    OpenedDevice screen = open(JavaDevice.BOUND);
    assertEquals(List.of("accel-display"), screen.services());
    assertEquals(List.of("accel-base", "Health", "Display", "Scanout"), screen.interfaces());
    extensions = List.of(ComputeReports.class);
    assertEquals(List.of("accel-compute"), open(JavaDevice.BOUND).services());
  }

  @Test
  void oneThatOpensTooLateIsClosed() throws Exception {
    DriverException late = assertThrows(DriverException.class, () -> open(Duration.ofMillis(20)));
    assertEquals(Errno.ETIMEDOUT, late.code());
    mayOpen.countDown();
    assertTrue(closed.await(60, TimeUnit.SECONDS));
  }

  @Test
  void oneThatDoesNotSayWhatItCanIsClosed() {
    mayOpen.countDown();
    throwsExtension = true;
    assertThrows(DriverException.class, () -> open(JavaDevice.BOUND));
    assertEquals(0, closed.getCount());
  }

  @Test
  void oneThatDoesNotSayWhatItIsIsClosed() {
    mayOpen.countDown();
    throwsInfo = true;
    assertThrows(DriverException.class, () -> open(JavaDevice.BOUND));
    assertEquals(0, closed.getCount());
  }

  @Test
  void theLastErrorThatItLoggedIsInTheMessage() {
    mayOpen.countDown();
    throwsInfo = true;
    DriverException failed = assertThrows(DriverException.class, () -> open(JavaDevice.BOUND));
    assertFalse(failed.getMessage().contains("last error"), failed.getMessage());
    logs = true;
    DriverException told = assertThrows(DriverException.class, () -> open(JavaDevice.BOUND));
    assertEquals(
        failed.getMessage() + "; the driver's last error: the power  is off", told.getMessage());
    assertEquals(failed.code(), told.code());
  }
}
