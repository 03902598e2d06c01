package io.isle.api.accel;

/**
 * How long submissions of a context were thought to take, and how long they took. An error is the
 * mean of absolute logarithms to the base of 2: 0 for exact estimates, 1 for a factor of 2. Only
 * submissions that ended without an error count. Immutable.
 *
 * @param estimateNs estimate of the submission that started last, in nanoseconds; before the first,
 *     what its estimate would be
 * @param answered submissions whose estimate was the answer of a model
 * @param ended all submissions with an estimate; the others had the average of the context
 * @param error error of all estimates; NaN without submissions
 * @param modelError error of the answers; NaN without answers
 * @param averageError error of the average: of the submissions with an answer if there are any,
 *     else of all; NaN without submissions
 */
public record Estimate(
    long estimateNs,
    long answered,
    long ended,
    double error,
    double modelError,
    double averageError) {
  /** Nothing was estimated. */
  public static final Estimate NONE = new Estimate(0, 0, 0, Double.NaN, Double.NaN, Double.NaN);
}
