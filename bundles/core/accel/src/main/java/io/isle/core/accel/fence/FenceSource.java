package io.isle.core.accel.fence;

/**
 * A timeline as submissions wait for it. All but {@link #watch} allocates nothing and never blocks.
 * Thread-safe.
 */
public interface FenceSource {
  /** Core id. */
  long id();

  /** Whose it is. */
  FenceOwner owner();

  /**
   * Whether a wait for {@code point} is over.
   *
   * @param now CLOCK_MONOTONIC in nanoseconds
   * @return 0 when it is; -EINPROGRESS not yet; else the code with which whoever waits ends
   */
  int outcome(long point, long now);

  /** All points up to this one have ended. */
  long reached();

  /** The newest point of which it is known that it will end. */
  long promised();

  /** Until then {@link #outcome} changes only when it is rung; Long.MAX_VALUE without a limit. */
  long nextDeadline();

  /** Rings {@code bell} whenever an outcome may have changed. */
  void watch(Ringing bell);
}
