package io.isle.core.accel.queue;

import io.isle.api.base.Errno;
import io.isle.lib.ffi.ThreadScheduling;

/** What the kernel grants the calling thread so that it runs before those that are not realtime. */
final class RealtimeScheduling {
  private static final System.Logger LOG = System.getLogger(RealtimeScheduling.class.getName());

  /** The lowest realtime priority: before all ordinary threads, behind all other realtime ones. */
  private static final int FIFO_PRIORITY = 1;

  private static final int NICE = -15;

  private RealtimeScheduling() {}

  /** Takes the most that it gets and logs what that is. */
  static void obtain(String deviceId) {
    int fifo = ThreadScheduling.fifo(FIFO_PRIORITY);
    int nice = fifo == 0 ? 0 : ThreadScheduling.nice(NICE);
    System.Logger.Level level = nice == 0 ? System.Logger.Level.INFO : System.Logger.Level.WARNING;
    LOG.log(level, "{0}: {1}", deviceId, describe(fifo, nice));
  }

  /**
   * @param fifo what came of asking for SCHED_FIFO
   * @param nice what then came of asking for a nice value
   */
  static String describe(int fifo, int nice) {
    String thread = "the thread for realtime completions runs ";
    if (fifo == 0) {
      return thread + "with SCHED_FIFO, priority " + FIFO_PRIORITY;
    }
    String refused = "SCHED_FIFO was refused: " + Errno.name(fifo);
    if (nice == 0) {
      return thread + "with nice " + NICE + "; " + refused;
    }
    return thread
        + "with normal scheduling; "
        + refused
        + ", a lower nice value too: "
        + Errno.name(nice)
        + "; give the platform's process CAP_SYS_NICE, or limits for rtprio or nice";
  }
}
