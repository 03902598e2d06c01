package io.isle.apps.jobs.run.loop;

import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * When what a loop has written is copied to the platform's memory: every so many turns, or once a
 * second and less often where the copies would take more than 1 % of the time. Used by one thread;
 * times are of one clock.
 */
public final class CheckpointPlan {
  private static final long LEAST_NS = TimeUnit.SECONDS.toNanos(1);

  /** Times of a copy that lie between the end of one and the begin of the next. */
  private static final long SPARING = 99;

  /** Bytes a nanosecond of a copy, until one was measured. */
  private static final long BYTES_A_NS = 1;

  private final OptionalLong everyTurns;
  private boolean givenUp;
  private long lastTurn;
  private long lastNs;
  private long costNs;

  /**
   * For a loop.
   *
   * @param everyTurns turns of the outermost loop between two; 0 for never, empty for by time
   */
  public CheckpointPlan(OptionalLong everyTurns) {
    this.everyTurns = everyTurns;
  }

  /**
   * The loop begins, or goes on.
   *
   * @param turn of the outermost loop, from 0
   * @param bytes that a checkpoint may have to copy
   */
  public void begin(long turn, long nowNs, long bytes) {
    lastTurn = turn;
    lastNs = nowNs;
    costNs = costNs == 0 ? bytes / BYTES_A_NS : costNs;
  }

  /**
   * Whether the loop must stop for one here: at the end of a turn, {@code turn} of which are over.
   */
  public boolean isDueAt(long turn) {
    long every = everyTurns.orElse(0);
    return every > 0 && turn - lastTurn >= every;
  }

  /** Whether it is time for one, wherever the loop is. */
  public boolean isDue(long nowNs) {
    return everyTurns.isEmpty()
        && !givenUp
        && nowNs - lastNs >= Math.max(LEAST_NS, Math.multiplyExact(SPARING, costNs));
  }

  /** None is due by time any more. */
  public void giveUp() {
    givenUp = true;
  }

  /**
   * One was taken.
   *
   * @param turn turns that were over
   * @param sinceNs when the loop stopped for it
   * @param nowNs when it went on
   */
  public void taken(long turn, long sinceNs, long nowNs) {
    lastTurn = turn;
    lastNs = nowNs;
    costNs = nowNs - sinceNs;
  }
}
