package io.isle.itests.inside;

import static org.junit.Assert.assertEquals;

import io.isle.api.accel.Accelerator;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.Mapping;
import io.isle.api.accel.Program;
import io.isle.api.accel.ProgramSource;
import io.isle.api.tenancy.Capability;
import java.lang.foreign.ValueLayout;
import java.time.Duration;

/** A tenant with kernels of its own, good and bad ones. */
final class OpenClTenant implements AutoCloseable {
  private static final int ITEMS = 1024;
  private static final long BYTES = ITEMS * (long) Integer.BYTES;
  private static final long PATIENCE_NS = Duration.ofSeconds(30).toNanos();

  /** Kernels have the numbers of their names' order. */
  private static final int SPIN = 0;

  private static final int STRAY = 1;
  private static final int TWICE = 2;
  private static final String SOURCE =
      """
      kernel void twice(global const uint *in, global uint *out)
      {
          size_t i = get_global_id(0);
          out[i] = 2 * in[i] + ADD;
      }
      kernel void stray(global uint *out, ulong at)
      {
          out[at] = 1;
      }
      kernel void spin(global uint *out, ulong rounds)
      {
          uint x = out[0] + 1;
          for (ulong i = 0; i < rounds; i++)
              x = x * 1664525u + 1013904223u;
          out[0] = x;
      }
      """;

  private final Context context;
  private final Program program;
  private final Buffer in;
  private final Buffer out;
  private final int add;

  /**
   * Opens a context and builds the kernels.
   *
   * @param limitUs execution limit of a submission
   * @param add what is different in this tenant's results
   */
  OpenClTenant(Accelerator device, Capability capability, String name, long limitUs, int add) {
    this.add = add;
    context = device.open(capability, ContextSpec.named(name).withMaxExecutionUs(limitUs));
    program = context.load(new ProgramSource.OpenClC(SOURCE, "-DADD=" + add));
    in = context.allocate(BYTES, Buffer.RETAINED);
    out = context.allocate(BYTES, 0);
    try (Mapping mapping = in.map()) {
      for (int i = 0; i < ITEMS; i++) {
        mapping.segment().setAtIndex(ValueLayout.JAVA_INT, i, i);
      }
      mapping.flush(0, BYTES);
    }
  }

  /** Writes far outside of what it was given; returns how that ended. */
  int writeAstray() {
    return bad(STRAY, 1L << 40);
  }

  /** Computes for longer than anybody waits; returns how that ended. */
  int computeForEver() {
    return bad(SPIN, Long.MAX_VALUE);
  }

  private int bad(int entry, long argument) {
    clear();
    CommandWriter writer = context.writer();
    int to = writer.use(out, 0, BYTES, Buffer.READ | Buffer.WRITE);
    return ended(writer.dispatch(program, entry, 1, 1, 1).arg(to).argU64(argument));
  }

  /** Runs the good kernel and checks each result. */
  void isRight() {
    assertEquals(0, context.awaitUsable(PATIENCE_NS));
    clear();
    CommandWriter writer = context.writer();
    int from = writer.use(in, 0, BYTES, Buffer.READ);
    int to = writer.use(out, 0, BYTES, Buffer.READ | Buffer.WRITE);
    assertEquals(0, ended(writer.dispatch(program, TWICE, ITEMS, 1, 1).arg(from).arg(to)));
    try (Mapping mapping = out.map()) {
      mapping.invalidate(0, BYTES);
      for (int i = 0; i < ITEMS; i++) {
        assertEquals(2 * i + add, mapping.segment().getAtIndex(ValueLayout.JAVA_INT, i));
      }
    }
  }

  /** How often its driver was taken from it. */
  int interruptions() {
    return context.interruptions();
  }

  /** After a recovery its contents are lost, and a kernel may read what it may write. */
  private void clear() {
    try (Mapping mapping = out.map()) {
      mapping.segment().fill((byte) 0);
      mapping.flush(0, BYTES);
    }
  }

  private int ended(CommandWriter writer) {
    long point = context.submit(writer);
    return point < 0 ? (int) point : context.await(point, PATIENCE_NS);
  }

  @Override
  public void close() {
    context.close();
  }
}
