package io.isle.core.accel.estimate;

import java.util.Arrays;

/**
 * What a context's model answered, beside the points: written by the submitting thread before the
 * point is published, read by the agent until the point has ended. Answers of several points share
 * a cache line, so that the agent fetches few where many points are in flight.
 */
final class PointAnswers {
  static final int NONE = -1;

  private static final int LOG_SHIFT = 48;
  private static final int DECIDERS = 0xffff;

  /** The answer in the upper 16 bits, the decider in the next 16, the kind of work in the lower. */
  private final long[] answers;

  private final long[] tickets;

  /**
   * @param depth queue depth of the context
   */
  PointAnswers(int depth) {
    answers = new long[depth];
    tickets = new long[depth];
    Arrays.fill(answers, NONE);
  }

  void clear(int slot) {
    answers[slot] = NONE;
  }

  /**
   * @param log the answer, 16 times a logarithm; 0 to 32767
   * @param key of the kind of work
   * @param ticket what the decider knows the decision by
   * @param decider which decider that is
   */
  void set(int slot, int log, int key, long ticket, int decider) {
    answers[slot] =
        (long) log << LOG_SHIFT
            | (long) (decider & DECIDERS) << Integer.SIZE
            | Integer.toUnsignedLong(key);
    tickets[slot] = ticket;
  }

  /** 16 times a logarithm; negative without an answer. */
  int answer(int slot) {
    return (int) (answers[slot] >> LOG_SHIFT);
  }

  int key(int slot) {
    return (int) answers[slot];
  }

  long ticket(int slot) {
    return tickets[slot];
  }

  /** Whether this decider gave the answer: 65,536 later ones are the same. */
  boolean isOf(int slot, int decider) {
    return (answers[slot] >>> Integer.SIZE & DECIDERS) == (decider & DECIDERS);
  }
}
