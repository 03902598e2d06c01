package io.isle.core.accel.usage;

/**
 * The share of a device that somebody had lately: since the look before the last one that was a
 * second or more ago. So there is no thread that samples, and looks that follow each other closely
 * do not shorten the window. Belongs to a lock of its owner.
 */
public final class ShareWindow {
  private static final long LEAST_NS = 1_000_000_000;

  private long fromNs;
  private long fromGiven;
  private long markNs;
  private long markGiven;

  /**
   * @param nowNs of a monotonic clock
   * @param given device time in nanoseconds that it had until then
   */
  public ShareWindow(long nowNs, long given) {
    fromNs = nowNs;
    fromGiven = given;
    markNs = nowNs;
    markGiven = given;
  }

  /** What was given in percent of the time that passed, and that time. */
  public record Share(double percent, long windowNs) {}

  public Share look(long nowNs, long given) {
    if (nowNs - markNs >= LEAST_NS) {
      fromNs = markNs;
      fromGiven = markGiven;
      markNs = nowNs;
      markGiven = given;
    }
    long passed = nowNs - fromNs;
    return passed <= 0
        ? new Share(0, 0)
        : new Share(100.0 * Math.max(0, given - fromGiven) / passed, passed);
  }
}
