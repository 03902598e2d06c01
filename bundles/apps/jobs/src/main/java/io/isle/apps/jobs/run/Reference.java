package io.isle.apps.jobs.run;

import io.isle.apps.jobs.spec.JobSpec;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** What the CPU makes of the same input, to compare results with. Used by one thread. */
abstract class Reference {
  /** How many records of {@code results} are not what {@code data} gives. */
  abstract long wrong(MemorySegment data, MemorySegment results);

  /**
   * The reference of a step's program.
   *
   * @throws io.isle.api.jobs.JobException when there is none
   */
  static Reference of(JobSpec.Step step, Shape shape) {
    return switch (step.program().code().text()) {
      case "sha256" -> new Hashes(shape);
      case "copy" -> new Copy();
      case "histogram" -> new Histogram();
      default ->
          throw step.where()
              .error(
                  "'verify' knows the programs copy, histogram, sha256; not "
                      + step.program().code().text());
    };
  }

  private static final class Hashes extends Reference {
    private final Shape shape;
    private final MessageDigest digest;

    Hashes(Shape shape) {
      this.shape = shape;
      try {
        digest = MessageDigest.getInstance("SHA-256");
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every Java platform has SHA-256", e);
      }
    }

    @Override
    long wrong(MemorySegment data, MemorySegment results) {
      long wrong = 0;
      long record = 0;
      for (long at = 0; at < data.byteSize(); at += shape.unit(), record++) {
        long length = Math.min(shape.unit(), data.byteSize() - at);
        digest.update(data.asSlice(at, length).asByteBuffer());
        MemorySegment expected = MemorySegment.ofArray(digest.digest());
        MemorySegment found = results.asSlice(record * shape.record(), shape.record());
        wrong += expected.mismatch(found) < 0 ? 0 : 1;
      }
      return wrong;
    }
  }

  private static final class Copy extends Reference {
    @Override
    long wrong(MemorySegment data, MemorySegment results) {
      return data.mismatch(results) < 0 ? 0 : 1;
    }
  }

  private static final class Histogram extends Reference {
    private static final ValueLayout.OfLong COUNTER =
        ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final long[] counts = new long[256];

    @Override
    long wrong(MemorySegment data, MemorySegment results) {
      java.util.Arrays.fill(counts, 0);
      for (long at = 0; at < data.byteSize(); at++) {
        counts[data.get(ValueLayout.JAVA_BYTE, at) & 0xff]++;
      }
      for (int i = 0; i < counts.length; i++) {
        if (results.getAtIndex(COUNTER, i) != counts[i]) {
          return 1;
        }
      }
      return 0;
    }
  }
}
