package io.isle.net.tile;

import io.isle.lib.packet.InternetChecksum;
import io.isle.lib.tile.RawMemory;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The headers of most frames to send, those without options of IPv4: read from the app's memory
 * once, in a few wide words, and written to the frame of the UMEM once. A look at bytes that were
 * copied just now, in other widths, would wait until the processor has written them.
 */
final class QuickHead {
  /** Bytes of the words; the headers of Ethernet and IPv4 are 34 of them. */
  static final int BYTES = 40;

  private static final VarHandle WORD =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.BIG_ENDIAN).varHandle();

  /** Type, version and length of the header: bytes 12 to 14. */
  private static final int IPV4_OF_20_BYTES = 0x08_0045;

  private static final long LOW_HALF = 0xFFFF_FFFFL;
  private static final long LOW_QUARTER = 0xFFFFL;

  private long word0;
  private long word1;
  private long word2;
  private long word3;
  private long word4;

  /**
   * Reads the words at an address, a multiple of 8.
   *
   * @return whether the frame is one of IPv4 without options
   */
  boolean read(long from) {
    word0 = (long) WORD.getOpaque(RawMemory.ALL, from);
    word1 = (long) WORD.getOpaque(RawMemory.ALL, from + 8);
    word2 = (long) WORD.getOpaque(RawMemory.ALL, from + 16);
    word3 = (long) WORD.getOpaque(RawMemory.ALL, from + 24);
    word4 = (long) WORD.getOpaque(RawMemory.ALL, from + 32);
    return (int) (word1 >>> 8) << 8 == IPV4_OF_20_BYTES << 8;
  }

  /** Address of the sender. */
  int source() {
    return (int) (word3 >>> 16);
  }

  /** Changes the address of the sender, and the checksum of IPv4. */
  void source(int address) {
    // the checksum counts as 0
    word3 = Integer.toUnsignedLong(address) << 16 | word3 & LOW_QUARTER;
    long sum = (word1 & LOW_QUARTER) + halves(word2) + halves(word3) + (word4 >>> 48);
    long folded = (sum & LOW_QUARTER) + (sum >>> 16 & LOW_QUARTER) + (sum >>> 32);
    word3 |= (long) InternetChecksum.finish((int) folded) << 48;
  }

  private static long halves(long word) {
    return (word >>> 32) + (word & LOW_HALF);
  }

  /** Changes the hardware addresses, in the low 48 bits. */
  void addresses(long destination, long source) {
    word0 = destination << 16 | source >>> 32;
    word1 = source << 32 | word1 & LOW_HALF;
  }

  /** Writes the words to an address, a multiple of 8. */
  void write(long to) {
    WORD.setOpaque(RawMemory.ALL, to, word0);
    WORD.setOpaque(RawMemory.ALL, to + 8, word1);
    WORD.setOpaque(RawMemory.ALL, to + 16, word2);
    WORD.setOpaque(RawMemory.ALL, to + 24, word3);
    WORD.setOpaque(RawMemory.ALL, to + 32, word4);
  }

  /** Copies the bytes behind the words, up to the next multiple of 8. */
  static void copyRest(long from, long to, int size) {
    for (int at = BYTES; at < size; at += Long.BYTES) {
      WORD.setOpaque(RawMemory.ALL, to + at, (long) WORD.getOpaque(RawMemory.ALL, from + at));
    }
  }
}
