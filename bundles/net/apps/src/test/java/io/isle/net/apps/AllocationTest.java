package io.isle.net.apps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.isle.api.net.NetAppTask;
import io.isle.lib.packet.capture.LinkType;
import io.isle.lib.packet.capture.PcapngWriter;
import io.isle.lib.tile.RxDrop;
import io.isle.lib.tile.TapMark;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bytes that a frame of each kind allocates once the JVM has compiled the task. */
@Timeout(120)
class AllocationTest {
  private static final int RUNS = 5_000;
  private static final long PATIENCE_NS = 60_000_000_000L;

  private final MemoryPort port = new MemoryPort();
  private final MemorySegment request = MemorySegment.ofArray(Frames.request(100));
  private final int length = (int) request.byteSize();

  private void allocatesNothing(NetAppTask task, boolean receives) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    double least = Double.MAX_VALUE;
    // the optimising compiler may wait for a processor
    long end = System.nanoTime() + PATIENCE_NS;
    while (least >= 0.5 && System.nanoTime() - end < 0) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < RUNS; i++) {
        if (receives) {
          long mark = TapMark.received(i, length, i & 7, (i & 1) == 0 ? null : RxDrop.NO_APP);
          port.put(request, length, mark);
        }
        assertTrue(task.cycle(i * 1000L) > 0);
        port.drain();
      }
      least = (threads.getCurrentThreadAllocatedBytes() - before) / (double) RUNS;
    }
    assertTrue(least < 0.5, least + " bytes a cycle");
    assertEquals("", task.failure());
  }

  @Test
  void echo() {
    allocatesNothing(new EchoTask(port), true);
  }

  @Test
  void drop() {
    allocatesNothing(new DropTask(port), true);
  }

  @Test
  void pktgen() {
    allocatesNothing(new PktgenTask(port, 0, 0, 1), false);
  }

  @Test
  void capture() throws IOException {
    PcapngWriter writer = new PcapngWriter(OutputStream.nullOutputStream(), "t", 65535);
    writer.addInterface("n", LinkType.ETHERNET);
    allocatesNothing(new CaptureTask(port, writer, new CaptureFilter(0, 0, false), 0, 0), true);
  }
}
