package io.isle.lib.leap.isle;

import java.lang.foreign.MemorySegment;

/**
 * The last frame of a path. Immutable.
 *
 * @param reason see {@link Reason}
 * @param last number of the last frame that was sent on the path
 */
public record Goodbye(Reason reason, long last) {
  /** Reasons. On the wire: the index from 0. */
  public enum Reason {
    /** The node ends; the session ends with it. */
    LEAVING,
    /** Another path of the same session goes on. */
    SWITCHED,
    /** The node starts again, with another session. */
    RESTARTING
  }

  /** Bytes of the payload. */
  public static final int BYTES = 16;

  private static final long LAST = 0;
  private static final long REASON = 8;
  private static final long ZERO = 9;
  private static final Reason[] REASONS = Reason.values();

  /**
   * Reads a payload of {@link #BYTES}.
   *
   * @throws FrameException with the field and its limit
   */
  public static Goodbye read(MemorySegment from, long offset) {
    Fields.zero("end of GOODBYE", from, offset + ZERO, (int) (BYTES - ZERO));
    return new Goodbye(
        REASONS[Fields.u8("reason", from, offset + REASON, REASONS.length - 1)],
        Fields.u63("last", from, offset + LAST));
  }

  /** Writes the payload. */
  public void write(MemorySegment to, long offset) {
    to.asSlice(offset, BYTES).fill((byte) 0);
    to.set(IsleFrame.U64, offset + LAST, last);
    to.set(IsleFrame.U8, offset + REASON, (byte) reason.ordinal());
  }
}
