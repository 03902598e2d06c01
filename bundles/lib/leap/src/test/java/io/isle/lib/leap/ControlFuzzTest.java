package io.isle.lib.leap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.lang.foreign.MemorySegment;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any packet: what counts as a control packet is the one writing of its contents. */
class ControlFuzzTest {
  private static final int BYTES = 264;

  static Stream<byte[]> seeds() {
    byte[] layers = new byte[BYTES];
    byte[] chain = new byte[BYTES];
    byte[] second = new byte[Control.PACKET_BYTES];
    byte[] ack = new byte[Control.PACKET_BYTES];
    int[] bounds = {1, 4, 9, 12};
    ControlWriter.resizeLayers(MemorySegment.ofArray(layers), 0, layers.length, 3, 12, true);
    ControlWriter.resizeChain(MemorySegment.ofArray(chain), 0, chain.length, bounds, 3, true);
    ControlWriter.resizeChain(MemorySegment.ofArray(second), 0, second.length, bounds, 2, false);
    ControlWriter.index(MemorySegment.ofArray(second), 0, 1);
    ControlWriter.ack(MemorySegment.ofArray(ack), 0, ack.length, 4, 9, false);
    return Stream.of(layers, chain, second, ack);
  }

  @MethodSource("seeds")
  @FuzzTest
  void aControlPacketIsWrittenInOneWay(byte[] bytes) {
    MemorySegment packet = MemorySegment.ofArray(bytes.clone());
    ControlReader reader = new ControlReader();
    if (!reader.packet(packet, 0, bytes.length)) {
      return;
    }
    assertEquals(-1, packet.mismatch(rewritten(reader, bytes.length)));
    WorkerAction action = WorkerAction.of(reader, 12);
    assertTrue(!action.applies() || action.end() <= 12);
    int sent = action.write(packet, 0, bytes.length);
    boolean refused = action.kind() == WorkerAction.Kind.REFUSE;
    assertEquals(refused ? 0 : bytes.length, sent);
    assertTrue(reader.packet(packet, 0, bytes.length), "what a worker sends is a control packet");
  }

  private static MemorySegment rewritten(ControlReader reader, int length) {
    MemorySegment again = MemorySegment.ofArray(new byte[length]);
    switch (reader.type()) {
      case Control.RESIZE_LAYERS ->
          ControlWriter.resizeLayers(again, 0, length, reader.start(), reader.end(), reader.tail());
      case Control.ACK ->
          ControlWriter.ack(again, 0, length, reader.start(), reader.end(), reader.tail());
      default -> {
        int workers = reader.workers();
        int[] bounds = new int[workers + 1];
        for (int i = 0; i < workers; i++) {
          bounds[i] = reader.start(i);
          bounds[i + 1] = reader.end(i);
        }
        ControlWriter.resizeChain(again, 0, length, bounds, workers, reader.tail(workers - 1));
        ControlWriter.index(again, 0, reader.index());
      }
    }
    return again;
  }
}
