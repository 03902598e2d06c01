package io.isle.net.xdp.tap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.isle.api.base.Errno;
import io.isle.api.net.FrameSource;
import io.isle.lib.tango.Mcache;
import io.isle.lib.tile.RxDrop;
import io.isle.lib.tile.Tap;
import io.isle.lib.tile.TapMark;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TapPortTest {
  private static final long PATIENCE_NS = 60_000_000_000L;
  private static final int DEPTH = 128;
  private static final int SNAP = 1024;

  private final List<MemorySegment> memories = new ArrayList<>();
  private final List<Tap> taps = new ArrayList<>();
  private final MemorySegment frame = Arena.ofAuto().allocate(2048);
  private final TapPort port;
  private final List<String> seen = new ArrayList<>();

  TapPortTest() {
    for (int queue = 0; queue < 3; queue++) {
      MemorySegment memory = Arena.ofAuto().allocate(Tap.bytes(DEPTH, SNAP), 4096);
      Tap.format(memory, DEPTH, SNAP, queue);
      memories.add(memory);
      taps.add(new Tap(memory));
    }
    show(0, 99);
    port = new TapPort(memories);
  }

  private void show(int tap, int number) {
    frame.set(ValueLayout.JAVA_INT, 0, number);
    taps.get(tap).received(0, frame, 0, 64, RxDrop.NO_APP);
  }

  private void note(MemorySegment memory, long offset, int length, long signature) {
    assertEquals(64, length);
    assertEquals("no_app", TapMark.reasonText(signature));
    int number = memory.get(ValueLayout.JAVA_INT_UNALIGNED, offset);
    seen.add(TapMark.queue(signature) + ":" + number);
  }

  @Test
  void framesOfAllTapsComeFromTheOpeningOnInTheOrderOfEach() {
    show(0, 1);
    show(2, 2);
    show(0, 3);
    show(1, 4);
    assertEquals(4, port.poll(this::note, 100));
    assertEquals(List.of("0:1", "0:3", "1:4", "2:2"), seen);
    assertEquals(0, port.poll(this::note, 100));
  }

  @Test
  void noTapKeepsOthersOut() {
    for (int i = 0; i < 10; i++) {
      show(0, i);
    }
    show(1, 50);
    assertEquals(2, port.poll(this::note, 2));
    assertEquals(2, port.poll(this::note, 2));
    assertEquals(List.of("0:0", "0:1", "1:50", "0:2"), seen);
  }

  @Test
  void lostFramesAreCounted() {
    for (int i = 0; i < DEPTH + 40; i++) {
      show(1, i);
    }
    // a reader that was overtaken goes on with the frame that took its line
    assertEquals(40, port.poll(this::note, 1000));
    assertEquals("1:" + DEPTH, seen.getFirst());
    assertEquals(DEPTH, port.overruns());
  }

  @Test
  void aFrameThatIsReplacedInPlaceIsToldSo() {
    show(0, 1);
    List<String> ends = new ArrayList<>();
    FrameSource.PlaceHandler slow =
        new FrameSource.PlaceHandler() {
          private boolean once = true;

          @Override
          public void frame(MemorySegment memory, long offset, int length, long signature) {
            for (int i = 0; once && i < DEPTH; i++) {
              show(0, 100 + i);
            }
            once = false;
          }

          @Override
          public void valid() {
            ends.add("valid");
          }

          @Override
          public void overrun() {
            ends.add("overrun");
          }
        };
    assertEquals(1, port.pollInPlace(slow, 1));
    assertEquals(List.of("overrun", "valid"), ends);
    assertTrue(port.overruns() >= 1);
  }

  @Test
  void aPlaceOutsideOfTheTapIsNotRead() {
    Mcache mcache = Mcache.open(memories.get(1));
    mcache.publish(0, 0, 0xFFFF_FFFFL, 64, 0, 0, 0);
    mcache.publish(1, 0, memories.get(1).byteSize() / 64, 1, 0, 0, 0);
    assertEquals(0, port.poll(this::note, 10));
    assertEquals(2, port.overruns());
  }

  @Test
  void nothingCanBeSent() {
    assertEquals(0, port.mtu());
    assertEquals(-Errno.EMSGSIZE, port.claim(60));
    assertEquals(-Errno.EINVAL, port.publish(60, 0));
    assertEquals(0, port.flush());
    port.close();
    assertEquals(-Errno.ECLOSED, port.poll(this::note, 1));
    assertEquals(-Errno.ECLOSED, port.claim(60));
    assertEquals(-Errno.ECLOSED, port.flush());
  }

  @Test
  void otherMemoryIsRefused() {
    MemorySegment other = Arena.ofAuto().allocate(8192, 4096);
    assertThrows(IllegalArgumentException.class, () -> new TapPort(List.of(other)));
  }

  @Test
  void pollingAllocatesNothing() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long[] sum = new long[1];
    FrameSource.Handler handler = (memory, offset, length, signature) -> sum[0] += length;
    double least = Double.MAX_VALUE;
    // the optimising compiler may wait for a processor
    long end = System.nanoTime() + PATIENCE_NS;
    while (least >= 0.5 && System.nanoTime() - end < 0) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < 20_000; i++) {
        show(i % 3, i);
        int ignored = port.poll(handler, 8);
      }
      least = (threads.getCurrentThreadAllocatedBytes() - before) / 20_000.0;
    }
    assertTrue(least < 0.5, least + " bytes a frame");
    assertTrue(sum[0] > 0);
  }
}
