package io.isle.benchmarks.ring;

/**
 * A row with a peer.
 *
 * @param row its name
 * @param ratio least ratio; null if the row is only reported
 * @param pairs alternated measurements
 */
record Goal(String row, Double ratio, int pairs) {
  /** Goals within 5 % need as many pairs. */
  private static final int NEAR = 15;

  private static final int FEW = 9;

  /** Of rows that nothing depends on: all rows take less than ten minutes. */
  private static final int FEWEST = 5;

  static Goal of(String row, double ratio) {
    return new Goal(row, ratio, NEAR);
  }

  /** A goal that the ratio is far from. */
  static Goal far(String row, double ratio) {
    return new Goal(row, ratio, FEW);
  }

  static Goal reported(String row) {
    return new Goal(row, null, FEWEST);
  }
}
