package io.isle.core.drivers.nativecode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.HandlerUnits;
import io.isle.api.driver.HpuCaps;
import io.isle.api.driver.HpuLimits;
import io.isle.api.driver.Programs;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The driver of handlers through the core's lane, as far as it goes without handlers. */
@Timeout(60)
class NativeHandlersTest {
  private static final long PROGRAM = Ids.of(Ids.PROGRAM, 1, 0);

  private static SoftDevice open() {
    SoftDevice opened =
        new SoftDevice(
            SoftDevice.NATIVE.resolve("libspin.so"),
            2,
            Map.of("hpu_mhz", "50", "handler_limit_us", "7000", "trap_limit", "3"));
    opened.context(0);
    return opened;
  }

  private static DriverException refused(int code, Runnable call) {
    DriverException thrown = assertThrows(DriverException.class, call::run);
    assertEquals(Errno.name(code), Errno.name(thrown.code()), thrown.getMessage());
    return thrown;
  }

  @Test
  void whatTheDriverHasIsKnown() {
    try (SoftDevice opened = open()) {
      assertEquals(List.of("accel-handlers"), opened.opened.services());
      assertTrue(opened.opened.runsKernelsInProcess());
      assertTrue(opened.opened.interfaces().contains("hpu 1.0, 48 bytes, 4 entries"));
      Programs programs = opened.device.extension(Programs.class).orElseThrow();
      assertEquals(Set.of(Programs.Kind.HANDLERS), programs.kinds());
      HandlerUnits units = opened.device.extension(HandlerUnits.class).orElseThrow();
      assertEquals(
          new HpuCaps(1, 2, 8, 16, 256 << 10, 1536, 50, new HpuLimits(7000, 1000, 3, 0)),
          units.caps());
      assertFalse(units.report(SoftDevice.CONTEXT).attached());
    }
  }

  @Test
  void refusalsHaveTheDriversCodeAndText() {
    try (SoftDevice opened = open()) {
      Programs programs = opened.device.extension(Programs.class).orElseThrow();
      byte[] text = "no image".getBytes(StandardCharsets.UTF_8);
      DriverException log =
          refused(
              Errno.EINVAL,
              () -> {
                var ignored =
                    programs.load(SoftDevice.CONTEXT, PROGRAM, Programs.Kind.HANDLERS, text);
              });
      assertTrue(log.getMessage().contains("the file has 8 bytes"), log.getMessage());
      HandlerUnits units = opened.device.extension(HandlerUnits.class).orElseThrow();
      HpuLimits limits = units.caps().limits();
      long[] none = new long[HandlerUnits.MEMORIES];
      refused(Errno.ESTALE, () -> units.attach(SoftDevice.CONTEXT, PROGRAM, none, limits));
      DriverException few =
          refused(
              Errno.EINVAL, () -> units.attach(SoftDevice.CONTEXT, PROGRAM, new long[5], limits));
      assertEquals("memories: 5 are given, 6 are needed", few.getMessage());
      refused(Errno.ENOENT, () -> units.detach(SoftDevice.CONTEXT));
      refused(Errno.ESTALE, () -> units.report(SoftDevice.CONTEXT + 1));
    }
  }
}
