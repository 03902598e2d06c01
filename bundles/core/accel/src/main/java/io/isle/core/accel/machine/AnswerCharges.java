package io.isle.core.accel.machine;

import io.isle.core.accel.estimate.Log2;
import io.isle.core.accel.sched.SchedulingCore;
import java.util.Arrays;

/**
 * What submissions are charged in advance that a model was asked about. Tenants shape what the
 * model sees: so by context, what answers were too small by is added, and answers that are mostly
 * far too large give way to the average, lest the context miss what it was promised. Not
 * thread-safe; allocates nothing after the constructor.
 */
public final class AnswerCharges {
  /** The least charge of an answer. */
  public static final long LEAST_NS = 1_000;

  private static final long MOST_NS = (1L << 40) - 1;

  /** Each end moves the means by an eighth of the difference. */
  private static final int MOVE = 3;

  /** Of {@link #above}. */
  private static final int SCALE = 8;

  /** Answers that are twice as large in the mean are of no use. */
  private static final int MOST_ABOVE = Log2.FINE_PARTS << SCALE;

  private final long[] limitNs;

  /** By context, the signed mean of what answers were too small by. */
  private final long[] shortNs;

  /** By context, the mean of what the logarithms of answers were too large by, else 0. */
  private final int[] above;

  /** Of contexts with numbers below {@code contexts}. */
  public AnswerCharges(int contexts) {
    limitNs = new long[contexts];
    shortNs = new long[contexts];
    above = new int[contexts];
    Arrays.fill(limitNs, MOST_NS);
  }

  /**
   * A context comes.
   *
   * @param executionLimitNs of each of its submissions; 0 for none
   */
  public void open(int c, long executionLimitNs) {
    limitNs[c] = executionLimitNs == 0 ? MOST_NS : Math.clamp(executionLimitNs, LEAST_NS, MOST_NS);
    shortNs[c] = 0;
    above[c] = 0;
  }

  /**
   * What a submission is charged in advance.
   *
   * @param answerNs negative for none
   * @param chargedNs what it was charged before, as it was half done
   * @return {@link SchedulingCore#AVERAGE} without a useful answer
   */
  public long charge(int c, long answerNs, long chargedNs) {
    if (answerNs < 0 || above[c] > MOST_ABOVE) {
      return SchedulingCore.AVERAGE;
    }
    long added = Math.max(0, shortNs[c]);
    long all = Math.clamp(Math.min(answerNs, MOST_NS) + added, LEAST_NS, limitNs[c]);
    return Math.max(LEAST_NS, all - chargedNs);
  }

  /**
   * A submission has ended well that was answered.
   *
   * @param takenNs what it was charged in all
   */
  public void ended(int c, long answerNs, long takenNs) {
    long answer = Math.clamp(answerNs, 0, MOST_NS);
    long taken = Math.clamp(takenNs, 0, MOST_NS);
    shortNs[c] += taken - answer - shortNs[c] >> MOVE;
    int over = Math.max(0, Log2.fine(answer) - Log2.fine(taken)) << SCALE;
    above[c] += over - above[c] >> MOVE;
  }
}
