package io.isle.apps.jobs.run;

import io.isle.apps.jobs.spec.Buffers;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Adds the results of all pieces up, as counters of 64 bits. Used by one thread. */
final class SumSink extends Sink {
  private static final ValueLayout.OfLong COUNTER =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final byte[] sums;
  private final MemorySegment segment;

  /**
   * @param bytes of all counters
   */
  SumSink(String step, Buffers.Output output, int bytes, String jobId) throws InterruptedException {
    super(step, OutputFile.of(output, jobId));
    sums = new byte[bytes];
    segment = MemorySegment.ofArray(sums);
  }

  @Override
  void accept(MemorySegment results) {
    for (long at = 0; at < sums.length; at += Long.BYTES) {
      segment.set(COUNTER, at, segment.get(COUNTER, at) + results.get(COUNTER, at));
    }
  }

  @Override
  void finish() throws InterruptedException {
    if (file().isPresent()) {
      file().get().write(ByteBuffer.wrap(sums));
    }
  }
}
