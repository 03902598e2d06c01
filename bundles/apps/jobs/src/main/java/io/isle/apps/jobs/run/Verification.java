package io.isle.apps.jobs.run;

import io.isle.apps.jobs.spec.JobSpec;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.atomic.LongAdder;

/** Compares results of built-in programs with what the CPU makes of the same input. */
final class Verification {
  private static final ValueLayout.OfLong COUNTER =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private Verification() {}

  /** Counts the records of results that are not what the input gives. */
  private interface Count {
    long wrong(MemorySegment data, MemorySegment results);
  }

  /**
   * A check of each piece, by one thread.
   *
   * @param wrong takes the number of records that differ
   * @throws io.isle.api.jobs.JobException when the CPU does not know the step's program
   */
  static PieceCheck of(JobSpec.Step step, Shape shape, LongAdder wrong) {
    Count count =
        switch (step.program().code().text()) {
          case "sha256" -> hashes(shape);
          case "copy" -> (data, results) -> data.mismatch(results) < 0 ? 0 : 1;
          case "histogram" -> Verification::histogram;
          default ->
              throw step.where()
                  .error(
                      "'verify' supports the programs copy, histogram, sha256; not "
                          + step.program().code().text());
        };
    return (chunk, found) -> {
      try (Arena arena = Arena.ofConfined()) {
        wrong.add(count.wrong(chunk.data(0, arena), found));
      }
    };
  }

  private static Count hashes(Shape shape) {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
    return (data, results) -> {
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
    };
  }

  private static long histogram(MemorySegment data, MemorySegment results) {
    long[] counts = new long[256];
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
