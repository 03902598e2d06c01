package io.isle.lib.tile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.isle.lib.tango.Chunks;
import io.isle.lib.tango.Frag;
import io.isle.lib.tango.LinkReader;
import io.isle.lib.tango.Mcache;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class TapTest {
  private static final long PATIENCE_NS = 60_000_000_000L;
  private static final int DEPTH = 128;
  private static final int SNAP = 256;
  private static final int QUEUE = 5;

  private final MemorySegment memory = Arena.ofAuto().allocate(Tap.bytes(DEPTH, SNAP), 4096);
  private final MemorySegment frame = Arena.ofAuto().allocate(2048);
  private final Tap tap;
  private final LinkReader reader;

  TapTest() {
    Tap.format(memory, DEPTH, SNAP, QUEUE);
    tap = new Tap(memory);
    reader = new LinkReader(Mcache.open(memory.asReadOnly()), 0);
    for (int i = 0; i < 2048; i++) {
      frame.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 7));
    }
  }

  private void next(int offset, int wire, String reason, boolean sent) {
    assertEquals(0, reader.poll());
    Frag frag = reader.frag();
    assertEquals(Math.min(wire, SNAP), frag.size());
    long at = Chunks.offset(frag.chunk(), frag.ctl());
    assertEquals(
        -1,
        MemorySegment.mismatch(frame, offset, offset + frag.size(), memory, at, at + frag.size()));
    assertEquals(wire, TapMark.length(frag.sig()));
    assertEquals(reason, TapMark.reasonText(frag.sig()));
    assertEquals(sent, TapMark.isSent(frag.sig()));
    assertEquals(QUEUE, TapMark.queue(frag.sig()));
    assertEquals(0, reader.take());
  }

  @Test
  void framesOfBothDirectionsAreShownWithTheirFacts() {
    tap.received(77, frame, 3, 60, null);
    tap.received(78, frame, 5, 100, RxDrop.NO_APP);
    tap.sent(79, frame, 7, 61, null);
    tap.sent(80, frame, 9, 1500, TxDrop.NO_ROUTE);
    next(3, 60, "", false);
    next(5, 100, "no_app", false);
    next(7, 61, "", true);
    next(9, 1500, "no_route", true);
    assertTrue(reader.poll() < 0);
  }

  @Test
  void aSlowReaderLosesFramesAndCountsThem() {
    for (int i = 0; i < 3 * DEPTH; i++) {
      tap.received(i, frame, i, 64 + i, null);
    }
    assertEquals(2 * DEPTH, reader.poll());
    assertEquals(2 * DEPTH, reader.lost());
    next(2 * DEPTH, 64 + 2 * DEPTH, "", false);
  }

  @Test
  void anotherTileGoesOn() {
    tap.received(1, frame, 0, 200, null);
    Tap successor = new Tap(memory);
    successor.sent(2, frame, 1, 90, null);
    next(0, 200, "", false);
    next(1, 90, "", true);
    successor.settle();
    assertEquals(2, Mcache.open(memory).produced());
  }

  @Test
  void limitsAreNamed() {
    assertThrows(IllegalArgumentException.class, () -> Tap.format(memory, DEPTH, SNAP, 1024));
    assertThrows(IllegalArgumentException.class, () -> Tap.format(memory, DEPTH, SNAP, -1));
    assertThrows(IllegalArgumentException.class, () -> Tap.bytes(100, SNAP));
    assertThrows(IllegalArgumentException.class, () -> Tap.bytes(DEPTH, 0));
    MemorySegment small = memory.asSlice(0, memory.byteSize() - 1);
    assertThrows(IllegalArgumentException.class, () -> new Tap(small));
  }

  @Test
  void showingAllocatesNothing() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    double least = Double.MAX_VALUE;
    // the optimising compiler may wait for a processor
    long end = System.nanoTime() + PATIENCE_NS;
    while (least >= 0.5 && System.nanoTime() - end < 0) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < 20_000; i++) {
        tap.received(i, frame, i & 63, 64 + (i & 127), RxDrop.NO_APP);
      }
      least = (threads.getCurrentThreadAllocatedBytes() - before) / 20_000.0;
    }
    assertTrue(least < 0.5, least + " bytes a frame");
  }
}
