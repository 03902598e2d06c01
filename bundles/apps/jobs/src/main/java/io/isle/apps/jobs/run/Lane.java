package io.isle.apps.jobs.run;

import io.isle.api.accel.Buffer;
import java.util.Optional;

/**
 * A buffer of a piece.
 *
 * @param in bytes of input for each unit; 0 for none
 * @param out bytes of results for each unit; with {@code sum} for the whole piece; 0 for none. A
 *     lane with both is changed in place, and both are the same
 * @param sum whether the results of all pieces are added up as 64-bit counters
 * @param access bits of {@link Buffer} that the program is given
 * @param filling what results hold before the program; empty for whatever was there
 */
record Lane(long in, long out, boolean sum, int access, Optional<Filling> filling) {
  static Lane in(long bytes) {
    return new Lane(bytes, 0, false, Buffer.READ, Optional.empty());
  }

  static Lane out(long bytes) {
    return out(bytes, false);
  }

  static Lane out(long bytes, boolean sum) {
    return new Lane(0, bytes, sum, Buffer.WRITE, Optional.empty());
  }

  static Lane inPlace(long bytes) {
    return new Lane(bytes, bytes, false, Buffer.READ | Buffer.WRITE, Optional.empty());
  }

  /** With another access. */
  Lane withAccess(int bits) {
    return new Lane(in, out, sum, bits, filling);
  }

  /** With results that begin so. */
  Lane filled(Optional<Filling> how) {
    return new Lane(in, out, sum, access, how);
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
