package io.isle.net.xdp.tap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.net.NetAppTask;
import io.isle.lib.packet.UdpFrame;
import io.isle.lib.packet.capture.CaptureReader;
import io.isle.lib.packet.capture.Direction;
import io.isle.lib.tile.RxDrop;
import io.isle.lib.tile.Tap;
import io.isle.lib.tile.TxDrop;
import io.isle.net.apps.CaptureApp;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From the taps of two tiles to a file. */
class CaptureTest {
  private static final int DEPTH = 128;
  private static final int NUMBER = UdpFrame.MIN_BYTES;

  @TempDir Path folder;
  private final MemorySegment frame = Arena.ofAuto().allocate(2048);
  private final List<MemorySegment> memories = List.of(tap(7), tap(8));
  private final List<Tap> taps = memories.stream().map(Tap::new).toList();

  private static MemorySegment tap(int queue) {
    MemorySegment memory = Arena.ofAuto().allocate(Tap.bytes(DEPTH, 2048), 4096);
    Tap.format(memory, DEPTH, 2048, queue);
    return memory;
  }

  private int numbered(int number) {
    int bytes = UdpFrame.write(frame, 0, 0x0A000001, 1000, 0x0A000002, 9000, 100 + number);
    frame.set(ValueLayout.JAVA_INT_UNALIGNED, NUMBER, number);
    return bytes;
  }

  @Test
  void theFileHasEachFrameWithItsFacts() throws IOException {
    Path file = folder.resolve("net.pcapng");
    long now = System.nanoTime();
    try (TapPort port = new TapPort(memories)) {
      NetAppTask task = new CaptureApp().open(port, Map.of("out", file.toString(), "name", "lan"));
      taps.get(0).received(now, frame, 0, numbered(0), null);
      taps.get(0).received(now + 1, frame, 0, numbered(1), RxDrop.NO_APP);
      taps.get(1).sent(now + 2, frame, 0, numbered(2), null);
      taps.get(1).sent(now + 3, frame, 0, numbered(3), TxDrop.NO_NEIGHBOR);
      assertEquals(4, task.cycle(now + 10));
      for (int i = 0; i < DEPTH + 9; i++) {
        taps.get(0).received(now + 20 + i, frame, 0, numbered(4 + i), null);
      }
      // a reader that was overtaken goes on with the frame that took its line
      assertEquals(9, task.cycle(now + 1000));
      task.close();
      assertEquals(-Errno.ECLOSED, task.cycle(now + 1001));
      assertEquals(Map.of("received", 13L, "written", 13L, "lost", 128L), task.counters());
    }
    try (CaptureReader reader = CaptureReader.open(Files.newInputStream(file), file.toString())) {
      expect(reader, 0, Direction.INBOUND, 7, "", 0);
      long begin = reader.timeNs();
      expect(reader, 1, Direction.INBOUND, 7, "no_app", 0);
      assertEquals(begin + 1, reader.timeNs());
      expect(reader, 2, Direction.OUTBOUND, 8, "", 0);
      assertEquals("lan", reader.interfaceName());
      expect(reader, 3, Direction.OUTBOUND, 8, "no_neighbor", 0);
      expect(reader, 132, Direction.INBOUND, 7, "", DEPTH);
      assertEquals(begin + 148, reader.timeNs());
      for (int number = 133; number < DEPTH + 13; number++) {
        expect(reader, number, Direction.INBOUND, 7, "", 0);
      }
      assertFalse(reader.next());
    }
  }

  private void expect(
      CaptureReader reader, int number, Direction way, int queue, String reason, long lost)
      throws IOException {
    assertTrue(reader.next(), "frame " + number + " is missing");
    int bytes = numbered(number);
    assertEquals(bytes, reader.length());
    assertEquals(bytes, reader.wireLength());
    assertEquals(-1, MemorySegment.mismatch(frame, 0, bytes, reader.memory(), 0, bytes));
    assertEquals(way, reader.direction());
    assertEquals(queue, reader.queue());
    assertEquals(reason, reader.comment());
    assertEquals(lost, reader.lost());
  }
}
