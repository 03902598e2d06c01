package io.isle.core.accel.sched;

/**
 * The machine's time: begins at 0 and never goes back, whatever the caller's clock does. A small
 * step back stands still, a larger one, or one of more than a year forward, moves the origin.
 */
final class CoreTime {
  /** Never reached. */
  static final long NEVER = Long.MAX_VALUE;

  /** Clocks that are read a little apart are no jump. */
  private static final long TOLERANCE_NS = 1_000_000;

  private static final int STEP_BITS = 55;
  private static final long MAX_STEP_NS = 1L << STEP_BITS;

  /** Beyond this steps of hours count nothing, so that sums with times cannot overflow. */
  private static final long FAR_NS = 1L << 60;

  private static final int FAR_STEP_BITS = 42;

  private long now;

  /** The caller's clock plus this is the machine's. */
  private long offset;

  /** Nothing becomes due before; may be too early. */
  private long alarm = NEVER;

  CoreTime(long callersNow) {
    offset = -callersNow;
  }

  void at(long callersNow) {
    long step = callersNow + offset - now;
    if (step >>> STEP_BITS == 0 && (now < FAR_NS || step >>> FAR_STEP_BITS == 0)) {
      now += step;
    } else {
      jump(step);
    }
  }

  private void jump(long step) {
    if (step < 0) {
      offset -= step < -TOLERANCE_NS ? step : 0;
    } else {
      long counted = now < FAR_NS ? MAX_STEP_NS : 0;
      offset -= step - counted;
      now += counted;
    }
  }

  long now() {
    return now;
  }

  /** The caller's clock plus this is the machine's. */
  long offset() {
    return offset;
  }

  /** As it was in another machine. */
  void restore(long time, long plus) {
    now = time;
    offset = plus;
  }

  boolean isDue() {
    return now >= alarm;
  }

  long alarm() {
    return alarm;
  }

  void wakeBy(long time) {
    alarm = Math.min(alarm, time);
  }

  void setAlarm(long time) {
    alarm = time;
  }

  /** In the caller's clock; {@link #NEVER} stays. */
  long callers(long time) {
    return time == NEVER ? NEVER : time - offset;
  }
}
