package io.isle.api.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Limits of handlers name what is wrong with them. */
class HpuLimitsTest {
  private static void wrong(String field, Supplier<HpuLimits> limits) {
    DriverException refused = assertThrows(DriverException.class, limits::get, field);
    assertEquals(Errno.EINVAL, refused.code());
    assertTrue(refused.getMessage().startsWith(field + ": "), refused.getMessage());
  }

  @Test
  void theLeastAndTheMostAreTaken() {
    assertEquals(1, new HpuLimits(1, 0, 0, 0).handlerMicros());
    assertEquals(
        1_000_000, new HpuLimits(10_000_000, 3_600_000, Integer.MAX_VALUE, 1_000_000).spinMicros());
  }

  @Test
  void whatIsBeyondIsNamed() {
    wrong("handler_limit_us", () -> new HpuLimits(0, 0, 0, 0));
    wrong("handler_limit_us", () -> new HpuLimits(10_000_001, 0, 0, 0));
    wrong("host_wait_ms", () -> new HpuLimits(1, -1, 0, 0));
    wrong("host_wait_ms", () -> new HpuLimits(1, 3_600_001, 0, 0));
    wrong("trap_limit", () -> new HpuLimits(1, 0, -1, 0));
    wrong("hpu_spin_us", () -> new HpuLimits(1, 0, 0, -1));
    wrong("hpu_spin_us", () -> new HpuLimits(1, 0, 0, 1_000_001));
  }
}
