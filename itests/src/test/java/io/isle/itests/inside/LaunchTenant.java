package io.isle.itests.inside;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.isle.api.accel.Accelerator;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.KernelInfo;
import io.isle.api.accel.Mapping;
import io.isle.api.accel.Program;
import io.isle.api.accel.ProgramSource;
import io.isle.api.tenancy.Capability;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;

/** A tenant whose kernels need more than a size: work-groups, local memory, structures, offsets. */
final class LaunchTenant implements AutoCloseable {
  private static final int WIDTH = 16;
  private static final int HEIGHT = 8;
  private static final int TILE_X = 8;
  private static final int TILE_Y = 2;
  private static final int FIRST = 3;
  private static final long BYTES = (long) WIDTH * HEIGHT * Integer.BYTES;
  private static final long PATIENCE_NS = Duration.ofSeconds(30).toNanos();

  private static final String SOURCE =
      """
      struct step { int add; float unused; short by; };
      /* each work-group turns its tile round, by way of local memory */
      kernel void turn(global uint *out, local uint *tile)
      {
          size_t lx = get_local_id(0), ly = get_local_id(1);
          size_t nx = get_local_size(0), ny = get_local_size(1);
          size_t x = get_global_id(0) - get_global_offset(0);
          size_t y = get_global_id(1) - get_global_offset(1);
          tile[ly * nx + lx] = get_global_id(1) * 1000 + get_global_id(0);
          barrier(CLK_LOCAL_MEM_FENCE);
          out[y * get_global_size(0) + x] = tile[(ny - 1 - ly) * nx + nx - 1 - lx];
      }
      kernel void blend(global float *out, float4 v, struct step s, ushort n)
      {
          out[0] = v.x + v.y * 10 + v.z * 100 + v.w * 1000;
          out[1] = s.add * s.by;
          out[2] = n;
      }
      """;

  private final Context context;
  private final Program program;
  private final Buffer out;

  LaunchTenant(Accelerator device, Capability capability, String name) {
    context = device.open(capability, ContextSpec.named(name));
    program = context.load(new ProgramSource.OpenClC(SOURCE));
    out = context.allocate(BYTES, 0);
  }

  private int entry(String name) {
    return kernel(name).entry();
  }

  private KernelInfo kernel(String name) {
    return program.kernels().stream()
        .filter(kernel -> kernel.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError(name + " is not one of " + program.kernels()));
  }

  /** Both kernels compute what they must. */
  void isRight() {
    assertEquals(0, context.awaitUsable(PATIENCE_NS));
    assertTrue(kernel("turn").needsGroupSize().contains("turn"));
    assertEquals("", kernel("blend").needsGroupSize());
    turns();
    blends();
  }

  private void turns() {
    CommandWriter writer = context.writer();
    int to = writer.use(out, 0, BYTES, Buffer.READ | Buffer.WRITE);
    writer.dispatch(program, entry("turn"), WIDTH, HEIGHT, 1);
    writer.offset(FIRST, 0, 0).local(TILE_X, TILE_Y, 1);
    ends(writer.arg(to).argLocal(TILE_X * TILE_Y * Integer.BYTES));
    try (Mapping mapping = out.map()) {
      mapping.invalidate(0, BYTES);
      for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
          int fromX = x - x % TILE_X + TILE_X - 1 - x % TILE_X;
          int fromY = y - y % TILE_Y + TILE_Y - 1 - y % TILE_Y;
          assertEquals(
              x + ", " + y,
              fromY * 1000 + fromX + FIRST,
              mapping.segment().getAtIndex(ValueLayout.JAVA_INT, (long) y * WIDTH + x));
        }
      }
    }
  }

  private void blends() {
    CommandWriter writer = context.writer();
    int to = writer.use(out, 0, BYTES, Buffer.READ | Buffer.WRITE);
    MemorySegment step = MemorySegment.ofArray(new int[] {7, 0, 6});
    assertEquals(12, kernel("blend").arguments().get(2).bytes());
    writer.dispatch(program, entry("blend"), 1, 1, 1).arg(to);
    writer.argBytes(MemorySegment.ofArray(new float[] {1, 2, 3, 4})).argBytes(step);
    ends(writer.argU32(65_535));
    try (Mapping mapping = out.map()) {
      mapping.invalidate(0, BYTES);
      MemorySegment floats = mapping.segment();
      assertEquals(4321f, floats.getAtIndex(ValueLayout.JAVA_FLOAT, 0), 0);
      assertEquals(42f, floats.getAtIndex(ValueLayout.JAVA_FLOAT, 1), 0);
      assertEquals(65_535f, floats.getAtIndex(ValueLayout.JAVA_FLOAT, 2), 0);
    }
  }

  private void ends(CommandWriter writer) {
    long point = context.submit(writer);
    assertTrue(writer.mistake(), point > 0);
    assertEquals(0, context.await(point, PATIENCE_NS));
  }

  /** Writes to the device's memory, and copies nothing. */
  void fillApart(int pattern) {
    CommandWriter writer = context.writer();
    int to = writer.use(out, 0, BYTES, Buffer.WRITE | Buffer.NO_COPY_IN | Buffer.NO_COPY_BACK);
    ends(writer.fill(to, 0, BYTES, pattern));
  }

  /** What the CPU sees. */
  int first() {
    try (Mapping mapping = out.map()) {
      mapping.invalidate(0, BYTES);
      return mapping.segment().get(ValueLayout.JAVA_INT, 0);
    }
  }

  /** Brings the device's memory back to the CPU; the code of that submission. */
  int bringBack() {
    assertEquals(0, context.awaitUsable(PATIENCE_NS));
    CommandWriter writer = context.writer();
    int access = Buffer.READ | Buffer.WRITE | Buffer.NO_COPY_IN;
    assertTrue(writer.use(out, 0, BYTES, access) >= 0);
    long point = context.submit(writer);
    return point < 0 ? (int) point : context.await(point, PATIENCE_NS);
  }

  @Override
  public void close() {
    context.close();
  }
}
