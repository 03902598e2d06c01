package io.isle.fabric.impair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.fabric.RingException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImpairSettingsTest {
  @Test
  void aRelayNeedsThePermissionToDoHarm() {
    RingException refused =
        assertThrows(RingException.class, () -> Given.udp("fault_injection", "false"));
    assertEquals(Errno.EPERM, refused.code());
    assertTrue(refused.getMessage().startsWith("fault_injection: "), refused.getMessage());
  }

  @ParameterizedTest
  @CsvSource({
    "loss_ppm, 1000001, loss_ppm",
    "delay_ms, -1, delay_ms",
    "delay_ms, 600001, delay_ms",
    "black_hole, sideways, black_hole",
    "queue_bytes, 1, queue_bytes",
    "listen, udp://127.0.0.1, listen",
    "listen, tcp://127.0.0.1:1, to",
    "to, nowhere, to",
    "to, shm://a, to",
    "colour, red, 'colour'",
    "cut_every_bytes, 1, cut_every_bytes",
  })
  void aWrongValueIsNamed(String key, String value, String named) {
    RingException refused = assertThrows(RingException.class, () -> Given.udp(key, value));
    assertEquals(Errno.EINVAL, refused.code());
    assertTrue(refused.getMessage().contains(named), refused.getMessage());
  }

  @ParameterizedTest
  @CsvSource({"loss_ppm", "duplicate_ppm", "reorder_ppm"})
  void streamsHaveNoDatagrams(String key) {
    RingException refused = assertThrows(RingException.class, () -> Given.tcp(key, "1"));
    assertTrue(refused.getMessage().contains(key), refused.getMessage());
  }

  @Test
  void timesAreNanoseconds() {
    ImpairSettings settings = Given.tcp("delay_ms", "50", "jitter_ms", "7", "rate_bytes", "1k");
    assertEquals(50_000_000, settings.faults().delayNs());
    assertEquals(7_000_000, settings.faults().jitterNs());
    assertEquals(1024, settings.faults().rate());
  }
}
