package io.isle.api.accel;

import org.osgi.annotation.versioning.ProviderType;

/**
 * A timeline that its tenant signals (CPU-signalled fences, 42.2.3). Submissions of any device and
 * threads can wait for points before their signal. Only {@link #deadline}, {@link #close} and an
 * {@link #await} that sleeps allocate. Thread-safe.
 *
 * <p>A host timeline ends for good when it is closed (ECLOSED), when a deadline passes (ETIMEDOUT),
 * or when its capability is revoked (EREVOKED). All waits for points without a signal then end with
 * this code.
 */
@ProviderType
public interface HostTimeline extends Timeline, AutoCloseable {
  /** Largest point. */
  long MAX_POINT = (1L << 47) - 1;

  /** Number of newest points that {@link #status} can report. */
  int REMEMBERED = 64;

  /** The name for output. */
  String name();

  /** Always empty: a host timeline belongs to no device. */
  @Override
  String device();

  /**
   * Signals {@code point} and all points before.
   *
   * @param point above {@link #ended}, at most {@link #MAX_POINT}
   * @return 0; -EINVAL for a point that is already signalled or out of range; -ECLOSED, -ETIMEDOUT
   *     or -EREVOKED after the end of the timeline
   */
  int signal(long point);

  /**
   * The code with which {@code point} was signalled: 0, or the code of the submission whose end
   * signalled the point; 0 for a skipped point.
   *
   * @return also -EINPROGRESS before the signal; -EINVAL out of range; -ESTALE for a point older
   *     than {@link #REMEMBERED}; the code of an ended timeline
   */
  @Override
  int status(long point);

  /**
   * Waits until {@code point} is signalled or the timeline ends. The thread sleeps meanwhile. Any
   * number of threads may wait.
   *
   * @param timeoutNs in nanoseconds; negative for no limit
   * @return {@link #status}, or -ETIME after the time limit, or -ECANCELED after an interrupt (the
   *     thread's interrupt flag stays set)
   */
  int await(long point, long timeoutNs);

  /**
   * Sets a deadline, which replaces an earlier deadline: without a signal of {@code point} within
   * {@code timeoutNs} from now, the timeline ends with ETIMEDOUT.
   *
   * @param timeoutNs 1 ns to {@link CommandWriter#MAX_WAIT_NS}
   * @throws AccelException EINVAL for a point out of range; ERANGE for a time out of range; the
   *     code of an ended timeline
   */
  void deadline(long point, long timeoutNs);

  /** Ends the timeline with ECLOSED, unless it has already ended. Idempotent. */
  @Override
  void close();
}
