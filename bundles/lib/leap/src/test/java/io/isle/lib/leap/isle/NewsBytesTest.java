package io.isle.lib.leap.isle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The bytes of notices and roll calls, as the page of the protocol has them. */
class NewsBytesTest {
  private static final RollCall.Entry ENTRY =
      new RollCall.Entry("n1", "tcp://h:1", 0x0102, 2, 1, 3, 9, true, true, 77);

  private static MemorySegment bytes(int count) {
    return MemorySegment.ofArray(new byte[count]);
  }

  private static int u8(MemorySegment from, long at) {
    return from.get(ValueLayout.JAVA_BYTE, at) & 0xFF;
  }

  @Test
  void aNotice() {
    Notice notice =
        new Notice("n1", 5, "n2", "tcp://h:2", Notice.Cause.STUCK, 17, 0x0203, 254, "why");
    MemorySegment at = bytes(Notice.BYTES);
    notice.write(at, 0);
    assertEquals('n', u8(at, 0));
    assertEquals('2', u8(at, 33));
    assertEquals('t', u8(at, 64));
    assertEquals('w', u8(at, 128));
    assertEquals(5, u8(at, 256));
    assertEquals(17, u8(at, 264));
    assertEquals(3, u8(at, 272));
    assertEquals(2, u8(at, 273));
    assertEquals(2, u8(at, 280));
    assertEquals(254, u8(at, 281));
    assertEquals(notice, Notice.read(at, 0));
    assertEquals(253, notice.passedOn().hops());
    at.set(ValueLayout.JAVA_BYTE, 280, (byte) 6);
    assertTrue(
        assertThrows(FrameException.class, () -> Notice.read(at, 0))
            .getMessage()
            .contains("cause"));
  }

  @Test
  void aRollCall() {
    RollCall piece = new RollCall(9, 4, true, List.of(ENTRY));
    MemorySegment at = bytes(piece.bytes());
    piece.write(at, 0);
    assertEquals(144, piece.bytes());
    assertEquals(9, u8(at, 0));
    assertEquals(4, u8(at, 8));
    assertEquals(1, u8(at, 10));
    assertEquals(1, u8(at, 12));
    assertEquals('n', u8(at, 16));
    assertEquals('t', u8(at, 48));
    assertEquals(2, u8(at, 112));
    assertEquals(77, u8(at, 120));
    assertEquals(3, u8(at, 128));
    assertEquals(9, u8(at, 132));
    assertEquals(2, u8(at, 136));
    assertEquals(1, u8(at, 137));
    assertEquals(1, u8(at, 138));
    assertEquals(1, u8(at, 139));
    assertEquals(piece, RollCall.read(at, 0, piece.bytes()));
  }

  @Test
  void aFullPieceIsFollowedByAnother() {
    List<RollCall.Entry> full = Collections.nCopies(RollCall.MAX_ENTRIES, ENTRY);
    List<RollCall> pieces = new RollCall(1, 0, true, full).with(ENTRY);
    assertEquals(2, pieces.size());
    assertEquals(new RollCall(1, 10, true, List.of(ENTRY)), pieces.getLast());
    assertTrue(!pieces.getFirst().last());
    assertEquals(List.of(pieces.getFirst()), pieces.getFirst().with(ENTRY));
  }
}
