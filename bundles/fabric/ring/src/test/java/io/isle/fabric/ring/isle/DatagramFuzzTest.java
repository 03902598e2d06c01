package io.isle.fabric.ring.isle;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.isle.lib.leap.ChunkHeader;
import io.isle.lib.leap.isle.IsleFrame;
import io.isle.lib.leap.isle.Nack;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** A neighbour that sends any frames, and any datagrams: the real one goes on. */
class DatagramFuzzTest {
  private static final int LARGEST = 65_507;

  static Stream<byte[]> seeds() {
    byte[] nack = new byte[Nack.bytes(1)];
    Nack.write(MemorySegment.ofArray(nack), 0, 1, 1);
    Nack.range(MemorySegment.ofArray(nack), 0, 0, 0, 0);
    byte[] any = new byte[600];
    new Random(1).nextBytes(any);
    return Stream.of(
        StreamFuzzTest.script(
            HostileNeighbour.step(IsleFrame.DATA, 1, new byte[End.BYTES]),
            HostileNeighbour.step(IsleFrame.DATA, 3, new byte[End.BYTES]),
            HostileNeighbour.step(IsleFrame.NACK, 0, nack)),
        any);
  }

  @MethodSource("seeds")
  @FuzzTest
  void theRealNeighbourGoesOn(byte[] script) {
    FakeDatagramLine line = new FakeDatagramLine(1);
    try (HostileNeighbour hostile =
        new HostileNeighbour(line, frame -> line.inject(datagram(frame)))) {
      hostile.follow(script);
      hostile.theRealOneGoesOn();
    }
  }

  /** The datagram of a frame; a raw piece is one as it is, if it is long enough. */
  private static byte[] datagram(byte[] frame) {
    MemorySegment from = MemorySegment.ofArray(frame);
    boolean whole =
        frame.length >= IsleFrame.HEADER_BYTES
            && frame.length <= LARGEST - ChunkHeader.BYTES
            && from.get(ValueLayout.JAVA_BYTE, 0) == 'I'
            && from.get(ValueLayout.JAVA_BYTE, 1) == 'S';
    if (!whole) {
      return frame.length == 0 ? new byte[1] : frame;
    }
    byte[] bytes = new byte[ChunkHeader.BYTES + frame.length];
    MemorySegment datagram = MemorySegment.ofArray(bytes);
    boolean numbered = IsleFrame.isNumbered(IsleFrame.kind(from, 0));
    ChunkHeader.write(
        datagram, 0, ChunkHeader.ISLE, (int) IsleFrame.number(from, 0), 0, 1, numbered ? 0 : 1);
    MemorySegment.copy(from, 0, datagram, ChunkHeader.BYTES, frame.length);
    return bytes;
  }
}
