package io.isle.fabric.ring.node;

import static io.isle.fabric.ring.node.TestRing.BYTES;
import static io.isle.fabric.ring.node.TestRing.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.isle.api.fabric.LayerRange;
import io.isle.api.fabric.RingRole;
import io.isle.fabric.ring.link.PipeTransport;
import io.isle.lib.leap.ControlWriter;
import io.isle.lib.leap.Packets;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Any bytes of a previous node of dialect leap: a worker applies no layers beyond the model, and
 * goes on with the real node.
 */
class WorkerFuzzTest {
  private static final int REPLY = 1;
  private static final int POSITION = 4711;

  static Stream<byte[]> seeds() {
    byte[] packets = new byte[4 * BYTES];
    MemorySegment all = MemorySegment.ofArray(packets);
    int[] bounds = {1, 5, 9};
    ControlWriter.resizeLayers(all, 0, BYTES, 3, 7, true);
    ControlWriter.resizeChain(all, BYTES, BYTES, bounds, 2, false);
    ControlWriter.ack(all, 2L * BYTES, BYTES, 1, 2, false);
    ControlWriter.resizeLayers(all, 3L * BYTES, BYTES, 3, 65_536, true);
    byte[] any = new byte[3 * BYTES + 17];
    new Random(1).nextBytes(any);
    return Stream.of(packets, any, Arrays.copyOf(packets, BYTES / 2));
  }

  @MethodSource("seeds")
  @FuzzTest
  void theRealNodeGoesOn(byte[] bytes) {
    try (TestRing ring = new TestRing(RingRole.WORKER)) {
      PipeTransport pipes = (PipeTransport) ring.transport;
      pipes.inject("link1", bytes);
      int packets = bytes.length / BYTES;
      while (ring.node(1).info().prev().counters().framesReceived() < packets) {
        Thread.onSpinWait();
      }
      pipes.cut("link1");
      assertEquals(BYTES, ring.send(POSITION, REPLY, 5, SECOND));
      boolean found = false;
      for (int i = 0; i <= packets && !found; i++) {
        assertEquals(BYTES, ring.receive(5 * SECOND));
        found = isReal(ring);
      }
      assertTrue(found, "the packet comes back, mixed by the layers that the worker shows");
    }
  }

  private static boolean isReal(TestRing ring) {
    LayerRange range = ring.node(1).info().range().orElseThrow();
    assertTrue(range.end() <= TestRing.LAYERS);
    int[] layers = IntStream.range(range.start(), range.end()).toArray();
    return Packets.pos(ring.into, 0) == POSITION && TestPackets.isMixed(ring.into, 5, layers);
  }
}
