package io.isle.net.xdp.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class HeartbeatTest {
  private static final long HANG_NS = TileHosts.HANG.toNanos();

  @Test
  void silenceIsTooLongAfterTwoSeconds() {
    assertEquals(2_000_000_000L, HANG_NS);
    Heartbeat heartbeat = new Heartbeat(TileHosts.HANG, 5, 100);
    assertEquals(OptionalLong.empty(), heartbeat.silenceNs(5, 100));
    assertEquals(OptionalLong.empty(), heartbeat.silenceNs(5, 100 + HANG_NS));
    assertEquals(OptionalLong.of(HANG_NS + 1), heartbeat.silenceNs(5, 101 + HANG_NS));
  }

  @Test
  void anyOtherNumberIsASignOfLife() {
    Heartbeat heartbeat = new Heartbeat(TileHosts.HANG, 5, 0);
    assertEquals(OptionalLong.empty(), heartbeat.silenceNs(6, HANG_NS + 1));
    assertEquals(OptionalLong.empty(), heartbeat.silenceNs(5, 2 * HANG_NS));
    assertEquals(OptionalLong.empty(), heartbeat.silenceNs(5, 3 * HANG_NS));
    assertEquals(OptionalLong.of(HANG_NS + 1), heartbeat.silenceNs(5, 3 * HANG_NS + 1));
  }

  @Test
  void theClockMayRunOver() {
    Heartbeat heartbeat = new Heartbeat(TileHosts.HANG, 0, Long.MAX_VALUE);
    assertEquals(OptionalLong.empty(), heartbeat.silenceNs(0, Long.MAX_VALUE + HANG_NS));
    assertEquals(
        OptionalLong.of(HANG_NS + 1), heartbeat.silenceNs(0, Long.MAX_VALUE + HANG_NS + 1));
  }
}
