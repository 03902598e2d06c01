package io.isle.fabric.shm;

import io.isle.lib.leap.banks.BankLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The one message of each side, with {@link #DESCRIPTORS} descriptors: the memory file that the
 * side receives by, the bell for a frame, and the bell for a free bank. Little-endian.
 */
final class ShmHello {
  static final int BYTES = 32;

  /** Memory file, bell of frames, bell of banks. */
  static final int DESCRIPTORS = 3;

  /** "ISHM". */
  static final int MAGIC = 0x4D485349;

  static final int VERSION = 1;

  // magic u32, version u32, bytes of the segment u64, banks u32, bytes of a bank u32, source u64
  static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfLong U64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final long VERSION_AT = 4;
  static final long SIZE_AT = 8;
  private static final long BANKS_AT = 16;
  private static final long BANK_BYTES_AT = 20;
  private static final long SOURCE_AT = 24;

  private ShmHello() {}

  /**
   * Writes the message.
   *
   * @param source number of this side for the state lines of the segment that it writes
   */
  static void write(MemorySegment to, long source) {
    to.set(U32, 0, MAGIC);
    to.set(U32, VERSION_AT, VERSION);
    to.set(U64, SIZE_AT, BankLayout.BYTES);
    to.set(U32, BANKS_AT, BankLayout.BANKS);
    to.set(U32, BANK_BYTES_AT, BankLayout.BANK_BYTES);
    to.set(U64, SOURCE_AT, source);
  }

  /**
   * Checks a message.
   *
   * @return the fault in words; empty for none
   */
  static String fault(MemorySegment message, int bytes, int descriptors) {
    if (bytes != BYTES) {
      return "its message has " + bytes + " B, not " + BYTES;
    }
    if (message.get(U32, 0) != MAGIC) {
      return "its message does not begin with ISHM: it is no node of Isle";
    }
    int version = message.get(U32, VERSION_AT);
    if (version != VERSION) {
      return "it speaks version "
          + Integer.toUnsignedString(version)
          + " of shared memory, this node version "
          + VERSION
          + ": update the older node";
    }
    if (message.get(U64, SIZE_AT) != BankLayout.BYTES
        || message.get(U32, BANKS_AT) != BankLayout.BANKS
        || message.get(U32, BANK_BYTES_AT) != BankLayout.BANK_BYTES) {
      return "it has %s banks of %s B in %s B, this node %d of %d B in %d B"
          .formatted(
              Integer.toUnsignedString(message.get(U32, BANKS_AT)),
              Integer.toUnsignedString(message.get(U32, BANK_BYTES_AT)),
              Long.toUnsignedString(message.get(U64, SIZE_AT)),
              BankLayout.BANKS,
              BankLayout.BANK_BYTES,
              BankLayout.BYTES);
    }
    if (descriptors != DESCRIPTORS) {
      return "it passed " + descriptors + " descriptors, not " + DESCRIPTORS;
    }
    return "";
  }
}
