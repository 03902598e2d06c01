package io.isle.lib.packet;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The checksum of the internet protocols (RFC 1071): the complement of the one's complement sum of
 * 16-bit words. Pure functions, safe for any thread. Allocates nothing.
 */
public final class InternetChecksum {
  private static final ValueLayout.OfInt WORDS = ValueLayout.JAVA_INT_UNALIGNED;
  private static final boolean SWAPPED = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

  private InternetChecksum() {}

  /**
   * The checksum of a range; of a range that contains its right checksum, 0.
   *
   * @param length bytes, 0 to 65535
   * @return 0 to 65535
   */
  public static int of(MemorySegment memory, long offset, int length) {
    return finish(sum(memory, offset, length));
  }

  /**
   * The sum of a range, to add to other sums; an odd last byte counts as the first of a word.
   *
   * @param length bytes, 0 to 65535
   * @return 0 to 65535
   */
  public static int sum(MemorySegment memory, long offset, int length) {
    long sum = 0;
    int at = 0;
    // the sum of words in either byte order is the same but for the order of its bytes
    for (; at + Integer.BYTES <= length; at += Integer.BYTES) {
      sum += Integer.toUnsignedLong(memory.get(WORDS, offset + at));
    }
    int folded = fold(sum);
    int words = SWAPPED ? swap(folded) : folded;
    for (; at + 1 < length; at += 2) {
      words += Fields.u16(memory, offset + at);
    }
    if (at < length) {
      words += Fields.u8(memory, offset + at) << 8;
    }
    return fold(words);
  }

  /**
   * Folds added sums into a checksum.
   *
   * @param sum up to 32767 sums and 16-bit words, added
   * @return 0 to 65535
   */
  public static int finish(int sum) {
    return ~fold(sum) & 0xFFFF;
  }

  /**
   * A checksum after the change of one 16-bit word (RFC 1624). Not for a UDP checksum of 0, which
   * means none.
   *
   * @param checksum of the range before the change
   * @param before old value of the word, 0 to 65535
   * @param after new value of the word, 0 to 65535
   */
  public static int changed(int checksum, int before, int after) {
    return finish((~checksum & 0xFFFF) + (~before & 0xFFFF) + after);
  }

  /** As {@link #changed}, for two words at once, such as an address. */
  public static int changed32(int checksum, int before, int after) {
    int high = changed(checksum, before >>> 16, after >>> 16);
    return changed(high, before & 0xFFFF, after & 0xFFFF);
  }

  private static int fold(long sum) {
    long once = (sum & 0xFFFF_FFFFL) + (sum >>> 32);
    long twice = (once & 0xFFFF) + (once >>> 16 & 0xFFFF) + (once >>> 32);
    long thrice = (twice & 0xFFFF) + (twice >>> 16);
    return (int) ((thrice & 0xFFFF) + (thrice >>> 16));
  }

  private static int swap(int word) {
    return (word & 0xFF) << 8 | word >>> 8;
  }
}
