package io.isle.benchmarks;

import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.Program;
import io.isle.api.accel.ProgramSource;
import java.nio.file.Path;

/** A tenant that submits one program and keeps a number of submissions in flight. */
public final class Tenant implements AutoCloseable {
  private final LocalPlatform platform;
  private final Context context;
  private final Program program;
  private final long busyUs;

  /** Submits no-ops. */
  public Tenant(Path nativeDirectory, int tier, int inflight) {
    this(nativeDirectory, tier, inflight, 0);
  }

  /** Submits work of {@code busyUs} microseconds; 0 for no-ops. */
  public Tenant(Path nativeDirectory, int tier, int inflight, long busyUs) {
    this.busyUs = busyUs;
    platform = new LocalPlatform(nativeDirectory, tier);
    context =
        platform
            .accelerator()
            .open(platform.capability(), ContextSpec.named("bench").withQueue(inflight, 512));
    program = context.load(new ProgramSource.Builtin(busyUs == 0 ? "noop" : "busy"));
  }

  public LocalPlatform platform() {
    return platform;
  }

  /** Submits {@code count} and returns when all have ended; allocates nothing. */
  public long run(long count) {
    long point = 0;
    for (long i = 0; i < count; i++) {
      point = submit();
    }
    int status = context.await(point, -1);
    if (status < 0) {
      throw new IllegalStateException("a submission ended with " + status);
    }
    return point;
  }

  /** One submission and its end, before the next: nanoseconds for each. */
  public double roundTrip(int count) {
    long start = System.nanoTime();
    for (int i = 0; i < count; i++) {
      int status = context.await(submit(), -1);
      if (status < 0) {
        throw new IllegalStateException("a submission ended with " + status);
      }
    }
    return (System.nanoTime() - start) / (double) count;
  }

  /** Nanoseconds for each of {@code count} submissions. */
  public double throughput(long count) {
    long start = System.nanoTime();
    long ignored = run(count);
    return (System.nanoTime() - start) / (double) count;
  }

  private long submit() {
    CommandWriter writer = context.writer();
    while (writer == null) {
      // every slot is taken; on two processors the agent may need this one
      Thread.yield();
      writer = context.writer();
    }
    writer.dispatch(program, 0, 1, 1, 1);
    if (busyUs != 0) {
      writer.argU64(busyUs);
    }
    long point = context.submit(writer);
    if (point < 0) {
      throw new IllegalStateException("a submission was refused with " + point);
    }
    return point;
  }

  @Override
  public void close() {
    context.close();
    platform.close();
  }
}
