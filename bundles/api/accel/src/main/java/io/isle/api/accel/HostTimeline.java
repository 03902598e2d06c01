package io.isle.api.accel;

import org.osgi.annotation.versioning.ProviderType;

/**
 * A timeline that its tenant moves (CPU-signalled fences, 42.2.3): submissions of any device and
 * threads can wait for points that nobody has signalled yet. Nothing here but {@link #deadline},
 * {@link #close} and an {@link #await} that sleeps allocates. Thread-safe.
 *
 * <p>It is over for good when it is closed (ECLOSED), when a deadline has passed (ETIMEDOUT), or
 * when the capability that it was made with is revoked (EREVOKED): then whoever waits for a point
 * that was not signalled ends with that code.
 */
@ProviderType
public interface HostTimeline extends Timeline, AutoCloseable {
  /** Largest point. */
  long MAX_POINT = (1L << 47) - 1;

  /** How many points {@link #status} knows, counted back from the newest. */
  int REMEMBERED = 64;

  /** For people. */
  String name();

  /** Empty: it is of no device. */
  @Override
  String device();

  /**
   * Signals {@code point} and all before it.
   *
   * @param point above {@link #ended}, at most {@link #MAX_POINT}
   * @return 0; or -EINVAL for a point that is signalled already or out of range; -ECLOSED,
   *     -ETIMEDOUT or -EREVOKED when the timeline is over
   */
  int signal(long point);

  /**
   * How {@code point} was signalled: 0, or the code of the submission whose end signalled it; a
   * point that was passed over is 0.
   *
   * @return -EINPROGRESS not yet; -EINVAL out of range; -ESTALE when it is too old to be known;
   *     what the timeline is over with
   */
  @Override
  int status(long point);

  /**
   * Waits until {@code point} is signalled or the timeline is over; asleep until then. Any number
   * of threads may wait.
   *
   * @param timeoutNs negative to wait without limit
   * @return {@link #status}, or -ETIME when the wait itself ran out, -ECANCELED when interrupted
   *     (the thread's interrupt flag stays set)
   */
  int await(long point, long timeoutNs);

  /**
   * When {@code point} is not signalled within {@code timeoutNs} from now, the timeline is over
   * with ETIMEDOUT. Takes the place of an earlier deadline.
   *
   * @param timeoutNs 1 ns to {@link CommandWriter#MAX_WAIT_NS}
   * @throws AccelException EINVAL for a point out of range; ERANGE for a time out of range; what
   *     the timeline is over with
   */
  void deadline(long point, long timeoutNs);

  /** It is over with ECLOSED, unless it was over before. Idempotent. */
  @Override
  void close();
}
