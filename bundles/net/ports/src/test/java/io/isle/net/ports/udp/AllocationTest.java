package io.isle.net.ports.udp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.isle.api.net.FrameSource;
import io.isle.api.net.port.OpenPort;
import io.isle.api.net.port.PortOptions;
import io.isle.net.ports.testing.Frames;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bytes that a frame allocates once the JVM has compiled the port. */
@Timeout(120)
class AllocationTest {
  private static final int RUNS = 5_000;
  private static final long PATIENCE_NS = 60_000_000_000L;
  private static final int PAYLOAD = 64;

  @Test
  void aFrameThatGoesAndComesAllocatesNothing() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    UdpPorts ports = new UdpPorts();
    try (OpenPort port = ports.open("127.0.0.1:0", PortOptions.DEFAULT)) {
      int number = Integer.parseInt(port.address().substring("udp:127.0.0.1:".length()));
      int length =
          DatagramHeaders.write(port.memory(), 0, 0x7F000001, number, 0x7F000001, number, PAYLOAD);
      MemorySegment expected = port.memory().asSlice(0, length);
      FrameSource.Handler handler =
          (memory, offset, bytes, signature) ->
              assertEquals(
                  -1, MemorySegment.mismatch(memory, offset, offset + bytes, expected, 0, length));
      BooleanSupplier arrives = () -> port.poll(handler, 1) == 1;
      double least = Double.MAX_VALUE;
      // the optimising compiler may wait for a processor
      long end = System.nanoTime() + PATIENCE_NS;
      while (least >= 0.5 && System.nanoTime() - end < 0) {
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < RUNS; i++) {
          assertEquals(0, port.claim(length));
          assertEquals(0, port.publish(length, 0));
          Frames.until(arrives);
        }
        least = (threads.getCurrentThreadAllocatedBytes() - before) / (double) RUNS;
      }
      assertTrue(least < 0.5, least + " bytes a frame");
    }
  }
}
