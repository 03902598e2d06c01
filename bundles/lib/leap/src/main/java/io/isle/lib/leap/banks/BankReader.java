package io.isle.lib.leap.banks;

import static io.isle.lib.leap.banks.BankLayout.LONG;
import static io.isle.lib.leap.banks.BankLayout.U32;
import static io.isle.lib.leap.banks.BankLayout.U64;

import io.isle.api.base.Errno;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * The reading side of a segment of banks. The writer is another process and not trusted: each word
 * is read once and checked, and a frame is copied once. The writer may still change a frame while
 * it is copied, so a checksum belongs into the frame. One thread at a time. Allocates nothing.
 */
public final class BankReader {
  private final MemorySegment segment;
  private long taken;
  private long source;

  /**
   * @param segment at least {@link BankLayout#BYTES}
   * @param last number of the last frame taken; 0 for a new segment
   * @throws IllegalArgumentException with the size that the segment must have
   */
  public BankReader(MemorySegment segment, long last) {
    this.segment = BankLayout.require(segment);
    this.taken = last;
  }

  /** Number of the last frame taken. */
  public long taken() {
    return taken;
  }

  /** Source of the last frame taken, as the writer claims. */
  public long source() {
    return source;
  }

  /**
   * Whether the next frame is there.
   *
   * @return 1; 0; -EPROTO for a number that the bank of the next frame cannot have
   */
  public int poll() {
    long next = taken + 1;
    long number = (long) LONG.getAcquire(segment, BankLayout.state(next) + BankLayout.NUMBER);
    if (number == next) {
      return 1;
    }
    long before = next - BankLayout.BANKS;
    return number == before || (number == 0 && before < 0) ? 0 : -Errno.EPROTO;
  }

  /**
   * Copies the next frame and gives its bank back.
   *
   * @param most room in {@code to} behind {@code offset}
   * @return bytes of the frame; -EAGAIN without a frame; -EMSGSIZE for a length beyond {@code
   *     most}, the frame stays; -EPROTO for a length beyond a bank, and for a number that the bank
   *     cannot have, also if it changes during the copy
   */
  public int read(MemorySegment to, long offset, int most) {
    int state = poll();
    if (state <= 0) {
      return state == 0 ? -Errno.EAGAIN : state;
    }
    long next = taken + 1;
    long line = BankLayout.state(next);
    int length = segment.get(U32, line + BankLayout.LENGTH);
    if (length < 0 || length > BankLayout.BANK_BYTES) {
      return -Errno.EPROTO;
    }
    if (length > most) {
      return -Errno.EMSGSIZE;
    }
    source = segment.get(U64, line + BankLayout.SOURCE);
    MemorySegment.copy(segment, BankLayout.offset(next), to, offset, length);
    VarHandle.acquireFence();
    if ((long) LONG.getOpaque(segment, line + BankLayout.NUMBER) != next) {
      return -Errno.EPROTO;
    }
    taken = next;
    LONG.setRelease(segment, BankLayout.READER + BankLayout.TAKEN, next);
    return length;
  }
}
