package io.isle.net.xdp.socket;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/**
 * The kernel's counters of a socket since its begin.
 *
 * @param dropped frames that the kernel dropped while RX had room: for want of a frame in FILL, and
 *     for other reasons
 * @param invalidRx frames that were dropped for a wrong address in FILL
 * @param invalidTx frames of TX that were not sent: wrong address or length
 * @param ringFull frames that were dropped because RX was full
 * @param fillEmpty how often a frame was wanted and FILL was empty; each time, a frame is lost
 * @param txEmpty how often TX was empty
 */
public record XskStatistics(
    long dropped, long invalidRx, long invalidTx, long ringFull, long fillEmpty, long txEmpty) {
  /** Bytes of the kernel's structure: six u64 in the order of the fields. */
  public static final int BYTES = 48;

  /** Frames that were dropped neither for a full RX nor for an empty FILL. */
  public long other() {
    return Math.max(0, dropped - fillEmpty);
  }

  static XskStatistics read(MemorySegment from) {
    return new XskStatistics(
        from.get(JAVA_LONG, 0),
        from.get(JAVA_LONG, 8),
        from.get(JAVA_LONG, 16),
        from.get(JAVA_LONG, 24),
        from.get(JAVA_LONG, 32),
        from.get(JAVA_LONG, 40));
  }
}
