package io.isle.fabric.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.lang.foreign.MemorySegment;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Any message of a process that connects: a fault in words, or the one writing of an offer. The
 * last byte of an input is the number of descriptors.
 */
class ShmHelloFuzzTest {
  private static final long SOURCE_AT = 24;

  static Stream<byte[]> seeds() {
    byte[] offer = new byte[ShmHello.BYTES + 1];
    ShmHello.write(MemorySegment.ofArray(offer), 5);
    offer[ShmHello.BYTES] = ShmHello.DESCRIPTORS;
    return Stream.of(offer, new byte[ShmHello.BYTES + 1]);
  }

  @MethodSource("seeds")
  @FuzzTest
  void anOfferIsWrittenInOneWay(byte[] bytes) {
    if (bytes.length == 0) {
      return;
    }
    MemorySegment room = MemorySegment.ofArray(new byte[64]);
    int length = Math.min(bytes.length - 1, (int) room.byteSize());
    MemorySegment.copy(MemorySegment.ofArray(bytes), 0, room, 0, length);
    int descriptors = bytes[bytes.length - 1];
    String fault = ShmHello.fault(room, length, descriptors);
    if (!fault.isEmpty()) {
      assertFalse(fault.contains("\n"));
      return;
    }
    assertEquals(ShmHello.DESCRIPTORS, descriptors);
    MemorySegment again = MemorySegment.ofArray(new byte[64]);
    ShmHello.write(again, room.get(ShmHello.U64, SOURCE_AT));
    assertEquals(-1, room.mismatch(again));
  }
}
