package io.isle.core.drivers.nativecode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.DriverException;
import io.isle.core.drivers.nativecode.control.CoreConnection;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A device that does not open says what its driver logged as an error. */
class FailedOpeningTest {
  private static final String LAST = "this version does not open";

  private final FakeAttachment attachment = new FakeAttachment();

  @AfterEach
  void close() {
    attachment.close();
  }

  private DriverException open(String library, int tier, String seed, Map<String, String> values) {
    NativeDriver driver =
        NativeDriver.look(SoftDevice.RUNTIME, SoftDevice.NATIVE.resolve(library), line -> {});
    DeviceSpec spec = new DeviceSpec("soft0", new DeviceSeed(seed, "", "test"), tier, true, values);
    CoreConnection connection =
        CoreConnection.of(attachment, (tag, status, start, end, busy, detail) -> 0);
    return assertThrows(
        DriverException.class,
        () -> {
          var ignored = driver.open(spec, 1, connection, cause -> {});
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void theLastErrorIsInTheMessage(int tier) {
    DriverException failed = open("libunopenable.so", tier, "0", Map.of());
    assertEquals(Errno.EIO, failed.code());
    assertEquals(
        "the driver refused 'open': EIO: open failed with -5: " + LAST, failed.getMessage());
    DriverException wrong =
        open("libsoftaccel.so", tier, "0", Map.of("compute_units", "no\nnumber"));
    assertEquals(Errno.EINVAL, wrong.code());
    assertTrue(
        wrong.getMessage().endsWith(": setting compute_units=no\\x0anumber: bad value"),
        wrong.getMessage());
  }

  @Test
  void handlersNeedAProcessOfTheirOwn() {
    DriverException failed = open("libspin.so", 1, "spin", Map.of());
    assertEquals(Errno.ENOTSUP, failed.code());
    assertTrue(failed.getMessage().startsWith("tier: "), failed.getMessage());
    assertTrue(failed.getMessage().endsWith("; set tier=2"), failed.getMessage());
  }

  @Test
  void aProcessThatEndsMeanwhileHasSaidItToo() {
    DriverException failed = open("libunopenable.so", 2, "crash", Map.of());
    assertEquals(Errno.ENODEV, failed.code());
    assertTrue(
        failed.getMessage().endsWith("; the driver's last error: " + LAST), failed.getMessage());
    assertFalse(failed.getMessage().contains("before the last one"), failed.getMessage());
  }
}
