package io.isle.lib.leap.isle;

import java.lang.foreign.MemorySegment;

/**
 * The payload of an acknowledgement. Pure functions, safe for any thread. Allocates nothing, but
 * for the sentence of a fault.
 */
public final class Ack {
  /** Bytes of the payload. */
  public static final int BYTES = 32;

  private static final long DELIVERED = 0;
  private static final long ECHO = 8;
  private static final long HELD = 16;
  private static final long WINDOW = 24;
  private static final long ZERO = 28;

  private Ack() {}

  /**
   * Writes a payload.
   *
   * @param delivered number of the last frame delivered in order
   * @param echo time in the header of the newest frame that arrived; 0 for none
   * @param heldNs nanoseconds since its arrival
   * @param window frames beyond {@code delivered} that there is room for, 0 to 64
   */
  public static void write(
      MemorySegment to, long offset, long delivered, long echo, long heldNs, int window) {
    to.set(IsleFrame.U64, offset + DELIVERED, delivered);
    to.set(IsleFrame.U64, offset + ECHO, echo);
    to.set(IsleFrame.U64, offset + HELD, heldNs);
    to.set(IsleFrame.U32, offset + WINDOW, window);
    to.set(IsleFrame.U32, offset + ZERO, 0);
  }

  public static long delivered(MemorySegment from, long offset) {
    return from.get(IsleFrame.U64, offset + DELIVERED);
  }

  public static long echo(MemorySegment from, long offset) {
    return from.get(IsleFrame.U64, offset + ECHO);
  }

  public static long heldNs(MemorySegment from, long offset) {
    return from.get(IsleFrame.U64, offset + HELD);
  }

  public static int window(MemorySegment from, long offset) {
    return from.get(IsleFrame.U32, offset + WINDOW);
  }

  /**
   * Checks a payload of {@link #BYTES}.
   *
   * @param sent number of the last frame sent
   * @return empty if valid; else the field, its value and the limit
   */
  public static String fault(MemorySegment from, long offset, long sent) {
    long delivered = delivered(from, offset);
    if (delivered < 0 || delivered > sent) {
      return "delivered " + delivered + " is not in 0.." + sent + ", the last number sent";
    }
    return counts(
        heldNs(from, offset), window(from, offset), from.get(IsleFrame.U32, offset + ZERO));
  }

  static String counts(long heldNs, int window, int zero) {
    if (heldNs < 0) {
      return "held " + heldNs + " ns is below 0";
    }
    if (window < 0 || window > Hello.MAX_WINDOW) {
      return "window " + Integer.toUnsignedString(window) + " is not in 0.." + Hello.MAX_WINDOW;
    }
    return zero == 0 ? "" : "the reserved field " + zero + " is not 0";
  }
}
