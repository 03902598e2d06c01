package io.isle.core.accel.estimate;

/**
 * What a context's model answered, beside the points: written by the submitting thread before the
 * point is published, read by the agent until the point has ended. A row a point, so that the two
 * seldom want the same cache line.
 */
final class PointAnswers {
  static final int NONE = -1;

  private static final int SHIFT = 2;

  /** The answer in the upper half, the kind of work in the lower. */
  private static final int ANSWER = 0;

  private static final int TICKET = 1;
  private static final int DECIDER = 2;

  private final long[] rows;

  /**
   * @param depth queue depth of the context
   */
  PointAnswers(int depth) {
    rows = new long[depth << SHIFT];
    for (int slot = 0; slot < depth; slot++) {
      clear(slot);
    }
  }

  void clear(int slot) {
    rows[(slot << SHIFT) + ANSWER] = NONE;
  }

  /**
   * @param log the answer, 16 times a logarithm
   * @param key of the kind of work
   * @param ticket what the decider knows the decision by
   * @param decider which decider that is
   */
  void set(int slot, int log, int key, long ticket, int decider) {
    int n = slot << SHIFT;
    rows[n + ANSWER] = (long) log << Integer.SIZE | key & 0xffffffffL;
    rows[n + TICKET] = ticket;
    rows[n + DECIDER] = decider;
  }

  /** 16 times a logarithm; negative without an answer. */
  int answer(int slot) {
    return (int) (rows[(slot << SHIFT) + ANSWER] >> Integer.SIZE);
  }

  int key(int slot) {
    return (int) rows[(slot << SHIFT) + ANSWER];
  }

  long ticket(int slot) {
    return rows[(slot << SHIFT) + TICKET];
  }

  int decider(int slot) {
    return (int) rows[(slot << SHIFT) + DECIDER];
  }
}
