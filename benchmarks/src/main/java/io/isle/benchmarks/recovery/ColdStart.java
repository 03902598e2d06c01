package io.isle.benchmarks.recovery;

import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.Program;
import io.isle.api.accel.ProgramSource;
import io.isle.api.tenancy.Capability;
import io.isle.benchmarks.LocalPlatform;
import io.isle.benchmarks.Settings;

/**
 * The peer of a recovery: the same host started from nothing, up to the first work that is done.
 */
final class ColdStart implements AutoCloseable {
  private final LocalPlatform platform;
  private final Capability capability;

  ColdStart(Settings settings) {
    platform = LocalPlatform.closed(settings.nativeDirectory());
    capability = platform.capability();
  }

  /** Nanoseconds from the start of the process to the first success of a new context. */
  double measure() {
    long start = System.nanoTime();
    platform.open(2);
    try (Context context =
        platform.accelerator().open(capability, ContextSpec.named("cold start"))) {
      Program program = context.load(new ProgramSource.Builtin("noop"));
      long point = context.submit(context.writer().dispatch(program, 0, 1, 1, 1));
      int status = point < 0 ? (int) point : context.await(point, -1);
      if (status != 0) {
        throw new IllegalStateException("the first submission ended with " + status);
      }
      return System.nanoTime() - start;
    } finally {
      platform.shut();
    }
  }

  @Override
  public void close() {
    platform.close();
  }
}
