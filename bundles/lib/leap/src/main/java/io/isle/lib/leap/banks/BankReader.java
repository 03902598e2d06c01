package io.isle.lib.leap.banks;

import static io.isle.lib.leap.banks.BankLayout.LONG;
import static io.isle.lib.leap.banks.BankLayout.U32;
import static io.isle.lib.leap.banks.BankLayout.U64;

import io.isle.api.base.Errno;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.Objects;

/**
 * The reading side of a segment of banks. The writer is another process and not trusted: each word
 * is read once and checked, and a frame is copied once. The writer may still change a frame while
 * it is copied, so a checksum belongs into the frame. One thread at a time. Allocates nothing.
 */
public final class BankReader {
  private final MemorySegment segment;
  private long taken;
  private long source;
  private long sleeps;
  private long rung;

  @SuppressWarnings("unused") // without a result, the compiler would leave the reads out
  private long touched;

  /**
   * @param segment at least {@link BankLayout#BYTES}
   * @param last number of the last frame taken; 0 for a new segment
   * @throws IllegalArgumentException with the size that the segment must have
   */
  public BankReader(MemorySegment segment, long last) {
    this.segment = BankLayout.require(segment);
    this.taken = last;
    this.sleeps = (long) LONG.getOpaque(segment, BankLayout.READER + BankLayout.SLEEPS);
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
    touch(next);
    return number == before || (number == 0 && before < 0) ? 0 : -Errno.EPROTO;
  }

  /**
   * Reads the first lines of an awaited frame, so that the processor fetches them together with the
   * number once the frame is there, not one after the other.
   */
  private void touch(long next) {
    long at = BankLayout.offset(next);
    touched =
        (long) LONG.getOpaque(segment, at)
            + (long) LONG.getOpaque(segment, at + BankLayout.LINE_BYTES);
  }

  /**
   * Bytes of the next frame. The writer may change the number until {@link #take}, so callers keep
   * the first answer.
   *
   * @return 0 to {@link BankLayout#BANK_BYTES}; -EAGAIN without a frame; -EPROTO for a length
   *     beyond a bank, and for a number that the bank cannot have
   */
  public int length() {
    int state = poll();
    if (state <= 0) {
      return state == 0 ? -Errno.EAGAIN : state;
    }
    int length = segment.get(U32, BankLayout.state(taken + 1) + BankLayout.LENGTH);
    return length < 0 || length > BankLayout.BANK_BYTES ? -Errno.EPROTO : length;
  }

  /**
   * Copies a part of the next frame, after {@link #length}.
   *
   * @param from offset in the frame; with {@code bytes} at most {@link BankLayout#BANK_BYTES}
   * @throws IndexOutOfBoundsException for a part beyond the bank or beyond {@code to}
   */
  public void copy(int from, MemorySegment to, long offset, int bytes) {
    Objects.checkFromIndexSize(from, bytes, BankLayout.BANK_BYTES);
    MemorySegment.copy(segment, BankLayout.offset(taken + 1) + from, to, offset, bytes);
  }

  /**
   * Gives the bank of the next frame back, after {@link #length} and its copies.
   *
   * @return 0; -EPROTO if the writer has changed the number since, the frame stays
   */
  public int take() {
    long next = taken + 1;
    long line = BankLayout.state(next);
    source = segment.get(U64, line + BankLayout.SOURCE);
    VarHandle.acquireFence();
    if ((long) LONG.getOpaque(segment, line + BankLayout.NUMBER) != next) {
      return -Errno.EPROTO;
    }
    taken = next;
    LONG.setRelease(segment, BankLayout.READER + BankLayout.TAKEN, next);
    return 0;
  }

  /**
   * Whether all banks were full before the last {@link #take}, as the writer claims. False may be
   * late: the writer may have filled the last bank meanwhile.
   */
  public boolean wasFull() {
    long last = taken + BankLayout.BANKS - 1;
    return (long) LONG.getOpaque(segment, BankLayout.state(last) + BankLayout.NUMBER) == last;
  }

  /**
   * Copies the next frame and gives its bank back.
   *
   * @param most room in {@code to} behind {@code offset}
   * @return bytes of the frame; -EAGAIN without a frame; -EMSGSIZE for a length beyond {@code
   *     most}, the frame stays; -EPROTO as {@link #length} and {@link #take}
   */
  public int read(MemorySegment to, long offset, int most) {
    int length = length();
    if (length < 0) {
      return length;
    }
    if (length > most) {
      return -Errno.EMSGSIZE;
    }
    copy(0, to, offset, length);
    int code = take();
    return code == 0 ? length : code;
  }

  /**
   * Prepares a sleep until the next frame: the writer rings after publishing one.
   *
   * @return as {@link #poll}, looked up after the announcement: a sleep is for 0 alone
   */
  public int lieDown() {
    LONG.setOpaque(segment, BankLayout.READER + BankLayout.SLEEPS, ++sleeps);
    VarHandle.fullFence();
    return poll();
  }

  /**
   * Whether the writer prepared a sleep since the last call that returned true; to be asked after
   * {@link #take}. Then the caller rings.
   */
  public boolean bellDue() {
    VarHandle.fullFence();
    long now = (long) LONG.getOpaque(segment, BankLayout.WRITER + BankLayout.SLEEPS);
    if (now == rung) {
      return false;
    }
    rung = now;
    return true;
  }
}
