package io.isle.net.apps;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.net.NetAppTask;
import io.isle.api.net.NetException;
import io.isle.lib.packet.NetSig;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PktgenTaskTest {
  private static final int ADDRESS = 0xC6120040;
  private static final long MS = 1_000_000;

  private final MemoryPort port = new MemoryPort();

  private PktgenTask task(long rate, long count) {
    return new PktgenTask(port, rate, count, ADDRESS);
  }

  private long sent(NetAppTask task) {
    return task.counters().get("sent");
  }

  @Test
  void framesAreThoseOfTheWireFormat() {
    PktgenTask task = task(0, 3);
    task.cycle(0);
    Set<Integer> hashes = new HashSet<>();
    for (long number = 0; number < 3; number++) {
      ByteBuffer expected = ByteBuffer.allocate(60).order(ByteOrder.LITTLE_ENDIAN);
      expected.put(12, (byte) 8).put(14, (byte) 0x45).putLong(34, number);
      assertArrayEquals(expected.array(), port.take());
      assertEquals(ADDRESS, NetSig.address(port.mark()));
      assertEquals(42, NetSig.headerBytes(port.mark()));
      assertEquals(0, NetSig.protocol(port.mark()));
      hashes.add(NetSig.hash(port.mark()));
    }
    assertEquals(3, hashes.size());
    assertEquals(-Errno.ECLOSED, task.cycle(0));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 3, 1000, 7777, 200_000})
  void theRateIsKeptOverSeconds(long rate) {
    PktgenTask task = task(rate, 0);
    long most = 0;
    for (long now = 0; now <= 10_000 * MS; now += MS / 4) {
      for (int i = 0; i < 2; i++) {
        task.cycle(now + 5);
        port.drain();
      }
      long due = now / 1000 * rate / 1_000_000;
      most = Math.max(most, Math.abs(sent(task) - due));
    }
    assertTrue(most <= 1, most + " frames from the rate");
    assertEquals(0, task.counters().get("missed"));
  }

  @Test
  void theDeadlineIsWhenTheNextFrameIsDue() {
    PktgenTask task = task(1000, 5);
    task.cycle(100);
    for (int i = 1; i <= 5; i++) {
      long deadline = task.deadlineNs();
      assertEquals(100 + i * MS, deadline);
      assertEquals(0, task.cycle(deadline - 1));
      assertEquals(1, task.cycle(deadline));
    }
    assertEquals(-Errno.ECLOSED, task.cycle(Long.MAX_VALUE));
  }

  @Test
  void aSecondIsMadeUpForAndNoMore() {
    PktgenTask task = task(100, 0);
    task.cycle(0);
    long now = 5_500 * MS;
    while (task.cycle(now) > 0) {
      port.drain();
    }
    // 100 of the last whole second and 50 of this one
    assertEquals(150, sent(task));
    assertEquals(400, task.counters().get("missed"));
  }

  @ParameterizedTest
  @CsvSource({"0,1", "0,64", "0,65", "0,1000", "50000,1000"})
  void theCountIsTheEnd(long rate, long count) {
    PktgenTask task = task(rate, count);
    long now = 0;
    while (task.cycle(now += MS) >= 0) {
      port.drain();
    }
    assertEquals(count, sent(task));
  }

  @Test
  void withoutRoomItWaits() {
    port.room = 2;
    PktgenTask task = task(0, 5);
    assertEquals(2, task.cycle(0));
    assertEquals(0, task.cycle(0));
    assertEquals(2, port.drain());
    assertEquals(2, task.cycle(0));
    port.drain();
    assertEquals(1, task.cycle(0));
    assertEquals(5, sent(task));
    assertTrue(task.counters().get("backpressured") >= 2);
  }

  @Test
  void theEndOfThePortIsTheEnd() {
    PktgenTask task = task(0, 0);
    port.close();
    assertEquals(-Errno.ECLOSED, task.cycle(0));
  }

  @ParameterizedTest
  @CsvSource({
    "rate,-1,rate",
    "rate,1000000001,1000000000",
    "count,x,count",
    "fake_dst_ip,1.2.3,fake_dst_ip",
    "fake_dst_ip,'',fake_dst_ip",
    "fake_dst_ip,0.0.0.0,fake_dst_ip",
    "out,/tmp/x,fake_dst_ip"
  })
  void badSettingsAreRefusedByKeyAndLimit(String key, String value, String named) {
    NetException refusal =
        assertThrows(NetException.class, () -> new PktgenApp().open(port, Map.of(key, value)));
    assertEquals(Errno.EINVAL, refusal.code());
    assertTrue(refusal.getMessage().contains(named), refusal.getMessage());
  }

  @Test
  void settingsTakeEffect() {
    NetAppTask task =
        new PktgenApp().open(port, Map.of("count", "2", "fake_dst_ip", "198.18.0.77"));
    task.cycle(0);
    port.take();
    assertEquals(0xC612004D, NetSig.address(port.mark()));
    assertEquals(-Errno.ECLOSED, task.cycle(0));
  }
}
