package io.isle.core.accel.estimate;

import io.isle.api.accel.Estimate;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * How far estimates of a context were off, as sums of logarithms. Written by the agent, read by any
 * thread. Allocates nothing but for {@link #read}.
 */
final class EstimateErrors {
  private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

  /** Longs of a cache line: what lies before and behind is not the agent's alone. */
  private static final int LINE = 8;

  /** What was charged in advance last. */
  private static final int CHARGE = LINE;

  /** Of submissions with an answer: how many, and how far off answer and average were. */
  private static final int ANSWERED = LINE + 1;

  private static final int ANSWER_ERROR = LINE + 2;
  private static final int AVERAGE_ERROR = LINE + 3;

  /** Of those without: how many, and how far off the average was. */
  private static final int OTHERS = LINE + 4;

  private static final int OTHER_ERROR = LINE + 5;

  private final long[] numbers = new long[3 * LINE];

  /** Agent: a submission starts, charged in advance with this. */
  void charged(long ns) {
    LONGS.setOpaque(numbers, CHARGE, ns);
  }

  /** Agent: one without an answer has ended well. */
  void ended(long averageNs, long takenNs) {
    add(OTHER_ERROR, error(averageNs, takenNs));
    add(OTHERS, 1);
  }

  /** Agent: one with an answer has ended well. */
  void ended(long answerNs, long averageNs, long takenNs) {
    add(ANSWER_ERROR, error(answerNs, takenNs));
    add(AVERAGE_ERROR, error(averageNs, takenNs));
    add(ANSWERED, 1);
  }

  private static int error(long estimateNs, long takenNs) {
    return Math.abs(Log2.fine(estimateNs) - Log2.fine(takenNs));
  }

  private void add(int number, long value) {
    LONGS.setOpaque(numbers, number, numbers[number] + value);
  }

  private long get(int number) {
    return (long) LONGS.getOpaque(numbers, number);
  }

  Estimate read(long averageNs) {
    long answered = get(ANSWERED);
    long others = get(OTHERS);
    long charge = get(CHARGE);
    return new Estimate(
        charge == 0 ? averageNs : charge,
        answered,
        answered + others,
        mean(get(ANSWER_ERROR) + get(OTHER_ERROR), answered + others),
        mean(get(ANSWER_ERROR), answered),
        answered == 0 ? mean(get(OTHER_ERROR), others) : mean(get(AVERAGE_ERROR), answered));
  }

  private static double mean(long sum, long count) {
    return count == 0 ? Double.NaN : (double) sum / count / Log2.FINE_PARTS;
  }
}
