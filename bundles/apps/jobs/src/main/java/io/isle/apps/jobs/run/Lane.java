package io.isle.apps.jobs.run;

/**
 * A buffer of a piece.
 *
 * @param in bytes of input for each unit; 0 for none
 * @param out bytes of results for each unit; with {@code sum} for the whole piece; 0 for none. A
 *     lane with both is changed in place, and both are the same
 * @param sum whether the results of all pieces are added up as 64-bit counters
 */
record Lane(long in, long out, boolean sum) {
  static Lane in(long bytes) {
    return new Lane(bytes, 0, false);
  }

  static Lane out(long bytes) {
    return new Lane(0, bytes, false);
  }

  static Lane inPlace(long bytes) {
    return new Lane(bytes, bytes, false);
  }

  /** Device memory for a piece. */
  long bytes(long units) {
    return sum ? out : units * Math.max(in, out);
  }

  /** Bytes of results of a piece. */
  long resultBytes(long units) {
    return sum ? out : units * out;
  }
}
