package io.isle.benchmarks.programs;

import io.isle.api.accel.Buffer;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.Program;
import io.isle.api.accel.ProgramSource;
import io.isle.benchmarks.LocalPlatform;
import io.isle.benchmarks.Row;
import java.nio.file.Path;

/** A tenant that runs the kernel of {@code bench-opencl-direct} on an OpenCL device. */
final class OpenClTenant implements AutoCloseable {
  private static final int WARM_UP = 2000;
  private static final int BYTES = 4096;
  private static final String SOURCE =
      """
      kernel void spin(global uint *out, uint rounds)
      {
          uint x = out[0] + 1;
          for (uint i = 0; i < rounds; i++)
              x = x * 1664525u + 1013904223u;
          out[get_global_id(0)] = x;
      }
      """;

  private final LocalPlatform platform;
  private final Context context;
  private final Program program;
  private final Buffer out;

  /** Of the newest submissions. */
  private final long[] points;

  /**
   * Builds the kernel.
   *
   * @param cache a folder that the driver's process may write in
   * @param inflight submissions that are on their way at most, a power of two
   */
  OpenClTenant(Path nativeDirectory, Path cache, int inflight) {
    points = new long[inflight];
    platform = LocalPlatform.openCl(nativeDirectory, cache);
    context =
        platform
            .accelerator()
            .open(platform.capability(), ContextSpec.named("bench").withQueue(inflight, 512));
    program = context.load(new ProgramSource.OpenClC(SOURCE));
    out = context.allocate(BYTES, 0);
    submitAll(1, WARM_UP);
  }

  /** Median time in nanoseconds of a kernel of so many rounds, from its submission to its end. */
  double oneByOne(int rounds, int count) {
    submitAll(rounds, 1);
    double[] took = new double[count];
    for (int i = 0; i < count; i++) {
      long start = System.nanoTime();
      await(submit(rounds));
      took[i] = System.nanoTime() - start;
    }
    return Row.median(took);
  }

  /** Kernels of one round that end in a second, when as many are on their way as there can be. */
  double rate(int count) {
    submitAll(1, count / 10);
    long start = System.nanoTime();
    submitAll(1, count);
    return count * 1e9 / (System.nanoTime() - start);
  }

  /** When every slot is taken, sleeps until half of them are free: a processor is others' then. */
  private void submitAll(int rounds, int count) {
    int half = points.length / 2;
    for (int i = 0; i < count; i++) {
      if (i >= points.length && i % half == 0) {
        await(points[(i + half - 1) % points.length]);
      }
      points[i % points.length] = submit(rounds);
    }
    await(points[(count - 1) % points.length]);
  }

  private long submit(int rounds) {
    CommandWriter writer = context.writer();
    int use = writer.use(out, 0, BYTES, Buffer.READ | Buffer.WRITE);
    writer.dispatch(program, 0, 1, 1, 1).arg(use).argU32(rounds);
    long point = context.submit(writer);
    if (point < 0) {
      throw new IllegalStateException("a submission was refused with " + point);
    }
    return point;
  }

  private void await(long point) {
    int status = context.await(point, -1);
    if (status < 0) {
      throw new IllegalStateException("a submission ended with " + status);
    }
  }

  @Override
  public void close() {
    context.close();
    platform.close();
  }
}
