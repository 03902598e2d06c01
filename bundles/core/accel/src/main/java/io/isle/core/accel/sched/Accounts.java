package io.isle.core.accel.sched;

import java.util.Arrays;

/**
 * What every decision touches, in one row of 64 bytes for each context and, behind these, each
 * group. A context's row is also its server's when it has one of its own.
 */
final class Accounts {
  static final int SHIFT = 3;

  /** Of the server: time left; its quota and what came back at most, negative after an overrun. */
  static final int BUDGET = 0;

  /** Of the server: by when the budget is due, and the earliest replenishment. */
  static final int DEADLINE = 1;

  /** Of the server: contexts that are ready. */
  static final int ACTIVE = 2;

  /** Of the context: what its next submission is thought to take. */
  static final int ESTIMATE = 3;

  /** Of the context: device time it was given. */
  static final int GIVEN = 4;

  /** Of the context: since when its next submission has waited. */
  static final int SINCE = 5;

  /** Of the context: how long those that started had waited, altogether. */
  static final int WAITED = 6;

  /** Of the context: submissions that started. */
  static final int STARTED = 7;

  /** What the first submission of a context is thought to take. */
  static final long FIRST_ESTIMATE_NS = 1_000_000;

  /** Each submission moves the estimate by an eighth of the difference. */
  private static final int EWMA_SHIFT = 3;

  final long[] row;

  Accounts(int entities) {
    row = new long[entities << SHIFT];
  }

  void open(int context) {
    int n = context << SHIFT;
    Arrays.fill(row, n, n + (1 << SHIFT), 0);
    row[n + ESTIMATE] = FIRST_ESTIMATE_NS;
  }

  long get(int entity, int field) {
    return row[(entity << SHIFT) + field];
  }

  void learn(int context, long busyNs) {
    int n = (context << SHIFT) + ESTIMATE;
    row[n] = row[n] == FIRST_ESTIMATE_NS ? busyNs : next(row[n], busyNs);
  }

  static long next(long estimate, long busyNs) {
    return estimate + ((busyNs - estimate) >> EWMA_SHIFT);
  }
}
