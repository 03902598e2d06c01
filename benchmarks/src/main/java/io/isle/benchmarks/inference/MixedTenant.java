package io.isle.benchmarks.inference;

import io.isle.api.accel.Buffer;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.Program;
import io.isle.api.accel.ProgramSource;
import io.isle.benchmarks.LocalPlatform;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;

/** A tenant with three programs, which it runs on data of any size, one submission at a time. */
final class MixedTenant implements AutoCloseable {
  /** What can be run. */
  enum Work {
    SHA256,
    HISTOGRAM,
    SORT
  }

  private static final long BLOCK = 1 << 16;
  private static final int DIGEST = 32;
  private static final long COUNTS = 256 * 8;

  /** Of numbers of 32 bits. */
  private static final int U32 = 2;

  private final Context context;
  private final Program[] programs = new Program[Work.values().length];
  private final Buffer data;
  private final Buffer results;

  /**
   * @param most bytes of data
   */
  MixedTenant(LocalPlatform platform, int most) {
    context = platform.accelerator().open(platform.capability(), ContextSpec.named("mixed"));
    for (Work work : Work.values()) {
      programs[work.ordinal()] =
          context.load(new ProgramSource.Builtin(work.name().toLowerCase(java.util.Locale.ROOT)));
    }
    data = context.allocate(most, 0);
    results = context.allocate(Math.max(most / BLOCK * DIGEST, COUNTS), 0);
    SplittableRandom random = new SplittableRandom(1);
    try (var mapping = data.map()) {
      MemorySegment bytes = mapping.segment();
      for (long at = 0; at < most; at += Long.BYTES) {
        bytes.set(ValueLayout.JAVA_LONG, at, random.nextLong());
      }
    }
  }

  /** Runs it on so many bytes. */
  void run(Work work, long bytes) {
    CommandWriter writer = context.writer();
    Program program = programs[work.ordinal()];
    int from = writer.use(data, 0, bytes, Buffer.READ | Buffer.WRITE);
    if (work == Work.SORT) {
      writer.dispatch(program, 0, 1, 1, 1).arg(from).argU32(U32);
    } else {
      int to = writer.use(results, 0, resultBytes(work, bytes), Buffer.WRITE);
      writer.dispatch(program, 0, 1, 1, 1).arg(from).arg(to);
      if (work == Work.SHA256) {
        writer.argU64(BLOCK);
      }
    }
    long point = context.submit(writer);
    int status = point < 0 ? (int) point : context.await(point, -1);
    if (status != 0) {
      throw new IllegalStateException(work + ": " + status + " " + writer.mistake());
    }
  }

  private static long resultBytes(Work work, long bytes) {
    return work == Work.HISTOGRAM ? COUNTS : (bytes + BLOCK - 1) / BLOCK * DIGEST;
  }

  Context context() {
    return context;
  }

  @Override
  public void close() {
    context.close();
  }
}
