package io.isle.lib.leap.isle;

import java.lang.foreign.MemorySegment;

/**
 * The payload of a heartbeat: an acknowledgement with the state of the node. Pure functions, safe
 * for any thread. Allocates nothing, but for the sentence of a fault.
 */
public final class Heartbeat {
  /** Bytes of the payload. */
  public static final int BYTES = 64;

  private static final long SENT = 0;
  private static final long DELIVERED = 8;
  private static final long WORK = 16;
  private static final long WORK_AGE = 24;
  private static final long ECHO = 32;
  private static final long HELD = 40;
  private static final long WINDOW = 48;
  private static final long START = 52;
  private static final long END = 56;
  private static final long STATE = 60;
  private static final long TAIL = 61;
  private static final long ZERO = 62;

  private Heartbeat() {}

  /**
   * Writes the state of the link.
   *
   * @param sent number of the last frame sent on this link
   * @param delivered number of the last frame delivered in order
   * @param echo time in the header of the newest frame that arrived; 0 for none
   * @param heldNs nanoseconds since its arrival
   * @param window frames beyond {@code delivered} that there is room for, 0 to 64
   */
  public static void link(
      MemorySegment to,
      long offset,
      long sent,
      long delivered,
      long echo,
      long heldNs,
      int window) {
    to.set(IsleFrame.U64, offset + SENT, sent);
    to.set(IsleFrame.U64, offset + DELIVERED, delivered);
    to.set(IsleFrame.U64, offset + ECHO, echo);
    to.set(IsleFrame.U64, offset + HELD, heldNs);
    to.set(IsleFrame.U32, offset + WINDOW, window);
    to.set(IsleFrame.U16, offset + ZERO, (short) 0);
  }

  /**
   * Writes the state of the node.
   *
   * @param state 0 waiting, 1 running, 2 failed, 3 closed
   * @param work number of the frame in work, as received; 0 for none
   * @param ageNs nanoseconds since the work began
   * @param start first layer of the node
   * @param end the layer behind its last
   * @param tail its tail flag
   */
  public static void node(
      MemorySegment to,
      long offset,
      int state,
      long work,
      long ageNs,
      int start,
      int end,
      boolean tail) {
    to.set(IsleFrame.U64, offset + WORK, work);
    to.set(IsleFrame.U64, offset + WORK_AGE, ageNs);
    to.set(IsleFrame.U32, offset + START, start);
    to.set(IsleFrame.U32, offset + END, end);
    to.set(IsleFrame.U8, offset + STATE, (byte) state);
    to.set(IsleFrame.U8, offset + TAIL, (byte) (tail ? 1 : 0));
  }

  public static long sent(MemorySegment from, long offset) {
    return from.get(IsleFrame.U64, offset + SENT);
  }

  public static long delivered(MemorySegment from, long offset) {
    return from.get(IsleFrame.U64, offset + DELIVERED);
  }

  public static long work(MemorySegment from, long offset) {
    return from.get(IsleFrame.U64, offset + WORK);
  }

  public static long workAgeNs(MemorySegment from, long offset) {
    return from.get(IsleFrame.U64, offset + WORK_AGE);
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

  public static int start(MemorySegment from, long offset) {
    return from.get(IsleFrame.U32, offset + START);
  }

  public static int end(MemorySegment from, long offset) {
    return from.get(IsleFrame.U32, offset + END);
  }

  public static int state(MemorySegment from, long offset) {
    return from.get(IsleFrame.U8, offset + STATE) & 0xFF;
  }

  public static boolean tail(MemorySegment from, long offset) {
    return from.get(IsleFrame.U8, offset + TAIL) == 1;
  }

  /**
   * Checks a payload of {@link #BYTES}.
   *
   * @param received number of the last frame received in order
   * @param sent number of the last frame sent
   * @return empty if valid; else the field, its value and the limit
   */
  public static String fault(MemorySegment from, long offset, long received, long sent) {
    long delivered = delivered(from, offset);
    if (delivered < 0 || delivered > sent) {
      return "delivered " + delivered + " is not in 0.." + sent + ", the last number sent";
    }
    if (sent(from, offset) < received) {
      return "sent " + sent(from, offset) + " is below the received number " + received;
    }
    if (work(from, offset) < 0 || workAgeNs(from, offset) < 0) {
      return "the frame in work "
          + work(from, offset)
          + " or its age "
          + workAgeNs(from, offset)
          + " ns is below 0";
    }
    int start = start(from, offset);
    int end = end(from, offset);
    if (start < 0 || start > end || end > Fields.MAX_LAYERS) {
      return "layers "
          + start
          + " to "
          + end
          + " are not within 0 <= start <= end <= "
          + Fields.MAX_LAYERS;
    }
    int state = state(from, offset);
    int tail = from.get(IsleFrame.U8, offset + TAIL) & 0xFF;
    if (state > Fields.MAX_STATE || tail > 1) {
      return "state " + state + " is above " + Fields.MAX_STATE + ", or tail " + tail + " above 1";
    }
    return Ack.counts(
        heldNs(from, offset), window(from, offset), from.get(IsleFrame.U16, offset + ZERO));
  }
}
