package io.isle.lib.leap.banks;

import static io.isle.lib.leap.banks.BankLayout.LONG;
import static io.isle.lib.leap.banks.BankLayout.U32;
import static io.isle.lib.leap.banks.BankLayout.U64;

import io.isle.api.base.Errno;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * The writing side of a segment of banks. The reader is another process and not trusted: of its
 * words, only the number of frames taken and the number of its sleeps are read. One thread at a
 * time. Allocates nothing.
 */
public final class BankWriter {
  private final MemorySegment segment;
  private final long source;
  private long number;
  private long taken;
  private long sleeps;
  private long rung;

  /**
   * @param segment at least {@link BankLayout#BYTES}
   * @param source session of this side, for the state lines
   * @param last number of the last frame in the segment; 0 for a new one
   * @throws IllegalArgumentException with the size that the segment must have
   */
  public BankWriter(MemorySegment segment, long source, long last) {
    this.segment = BankLayout.require(segment);
    this.source = source;
    this.number = last;
    this.taken = Math.max(0, last - BankLayout.BANKS);
    this.sleeps = (long) LONG.getOpaque(segment, BankLayout.WRITER + BankLayout.SLEEPS);
  }

  /** Number of the last published frame. */
  public long number() {
    return number;
  }

  /** Frames that the reader had taken when it was last looked at. */
  public long taken() {
    return taken;
  }

  /**
   * Whether the bank of the next frame is free.
   *
   * @return 0; -EAGAIN while the bank is busy; -EPROTO if the reader claims to have taken frames
   *     that were not published, or takes back what it took
   */
  public int claim() {
    if (number - taken < BankLayout.BANKS) {
      return 0;
    }
    int fault = look();
    if (fault != 0) {
      return fault;
    }
    return number - taken < BankLayout.BANKS ? 0 : -Errno.EAGAIN;
  }

  /**
   * Reads the reader's number anew.
   *
   * @return 0 or -EPROTO
   */
  public int look() {
    long now = (long) LONG.getAcquire(segment, BankLayout.READER + BankLayout.TAKEN);
    if (now < taken || now > number) {
      return -Errno.EPROTO;
    }
    taken = now;
    return 0;
  }

  /** Offset of the next frame's bank in the segment, after {@link #claim} returned 0. */
  public long offset() {
    return BankLayout.offset(number + 1);
  }

  /**
   * Publishes the frame that lies in the claimed bank.
   *
   * @param length 0 to {@link BankLayout#BANK_BYTES}
   * @return 0; -EMSGSIZE; -EAGAIN or -EPROTO as {@link #claim}
   */
  public int publish(int length) {
    if (length < 0 || length > BankLayout.BANK_BYTES) {
      return -Errno.EMSGSIZE;
    }
    int claim = claim();
    if (claim != 0) {
      return claim;
    }
    long line = BankLayout.state(number + 1);
    segment.set(U32, line + BankLayout.LENGTH, length);
    segment.set(U64, line + BankLayout.SOURCE, source);
    number++;
    LONG.setRelease(segment, line + BankLayout.NUMBER, number);
    return 0;
  }

  /**
   * Writes zeros into the bank of the next frame, if the bank is known to be free, so that its
   * memory leaves the reader's cache while nobody waits for this. The first lines stay: the reader
   * of an awaited frame looks at them.
   *
   * @param bytes of the next frame, as expected; at most {@link BankLayout#BANK_BYTES}
   */
  public void prepare(int bytes) {
    if (number - taken < BankLayout.BANKS) {
      long from = offset();
      for (long at = BankLayout.AWAITED_BYTES; at < bytes; at += BankLayout.LINE_BYTES) {
        segment.set(U64, from + at, 0);
      }
    }
  }

  /**
   * Copies a frame of two parts into the next bank, and publishes it.
   *
   * @return 0; -EMSGSIZE for frames larger than a bank; -EAGAIN or -EPROTO as {@link #claim}
   */
  public int write(
      MemorySegment head,
      long headOffset,
      int headBytes,
      MemorySegment body,
      long bodyOffset,
      int bodyBytes) {
    long length = (long) headBytes + bodyBytes;
    if (headBytes < 0 || bodyBytes < 0 || length > BankLayout.BANK_BYTES) {
      return -Errno.EMSGSIZE;
    }
    int claim = claim();
    if (claim != 0) {
      return claim;
    }
    long to = offset();
    MemorySegment.copy(head, headOffset, segment, to, headBytes);
    MemorySegment.copy(body, bodyOffset, segment, to + headBytes, bodyBytes);
    return publish((int) length);
  }

  /**
   * Prepares a sleep until a bank is free: the reader rings after the next frame that it takes.
   *
   * @return as {@link #claim}, looked up after the announcement: a sleep is for -EAGAIN alone
   */
  public int lieDown() {
    LONG.setOpaque(segment, BankLayout.WRITER + BankLayout.SLEEPS, ++sleeps);
    VarHandle.fullFence();
    return claim();
  }

  /**
   * Whether the reader prepared a sleep since the last call that returned true; to be asked after
   * {@link #publish}. Then the caller rings.
   */
  public boolean bellDue() {
    VarHandle.fullFence();
    long now = (long) LONG.getOpaque(segment, BankLayout.READER + BankLayout.SLEEPS);
    if (now == rung) {
      return false;
    }
    rung = now;
    return true;
  }
}
