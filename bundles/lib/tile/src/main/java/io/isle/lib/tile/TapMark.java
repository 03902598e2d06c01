package io.isle.lib.tile;

/**
 * The signature of a frame on a tap link, which shows copies of frames in both directions. Bits 0
 * to 31: the low half of the tile's time in nanoseconds; 32 to 47: bytes of the frame on the wire;
 * 48: set on the way out; 49 to 53: why the frame was dropped, 0 for a frame that was passed on,
 * else one more than the number of the {@link RxDrop} or {@link TxDrop}; 54 to 63: the queue of the
 * interface. Pure functions, safe for any thread. Allocates nothing.
 */
public final class TapMark {
  /** Queues are below this number. */
  public static final int QUEUES = 1024;

  private static final int LENGTH = 32;
  private static final int OUT = 48;
  private static final int REASON = 49;
  private static final int QUEUE = 54;
  private static final int REASON_BITS = 0x1F;

  private static final RxDrop[] RX = RxDrop.values();
  private static final TxDrop[] TX = TxDrop.values();

  private TapMark() {}

  /**
   * The mark of a received frame.
   *
   * @param nowNs the tile's time
   * @param length bytes on the wire, 0 to 65535
   * @param queue 0 to 1023
   * @param drop null for a frame that an app got
   */
  public static long received(long nowNs, int length, int queue, RxDrop drop) {
    return of(nowNs, length, queue, drop == null ? 0 : drop.ordinal() + 1);
  }

  /** As {@link #received}, of a frame to send. */
  public static long sent(long nowNs, int length, int queue, TxDrop drop) {
    return of(nowNs, length, queue, drop == null ? 0 : drop.ordinal() + 1) | 1L << OUT;
  }

  private static long of(long nowNs, int length, int queue, int reason) {
    return nowNs & 0xFFFF_FFFFL
        | (length & 0xFFFFL) << LENGTH
        | (long) reason << REASON
        | (long) queue << QUEUE;
  }

  /**
   * The tile's time of a mark, as far as 2 seconds from another time.
   *
   * @param nearNs a time of the tile's clock
   */
  public static long timeNs(long mark, long nearNs) {
    return nearNs + ((int) mark - (int) nearNs);
  }

  /** Bytes on the wire, 0 to 65535. */
  public static int length(long mark) {
    return (int) (mark >>> LENGTH) & 0xFFFF;
  }

  /** Whether the frame was on its way out. */
  public static boolean isSent(long mark) {
    return (mark >>> OUT & 1) != 0;
  }

  /** Queue of the interface, 0 to 1023. */
  public static int queue(long mark) {
    return (int) (mark >>> QUEUE);
  }

  /** Whether the frame was dropped. */
  public static boolean isDropped(long mark) {
    return reason(mark) != 0;
  }

  /** Such as {@code no_app}; empty for a frame that was passed on, or an unknown reason. */
  public static String reasonText(long mark) {
    int index = reason(mark) - 1;
    if (isSent(mark)) {
      return index < 0 || index >= TX.length ? "" : TX[index].text();
    }
    return index < 0 || index >= RX.length ? "" : RX[index].text();
  }

  private static int reason(long mark) {
    return (int) (mark >>> REASON) & REASON_BITS;
  }
}
