package io.isle.apps.jobs;

import io.isle.api.accel.Buffer;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Fence;
import io.isle.api.accel.HostTimeline;
import io.isle.api.accel.Program;
import io.isle.api.accel.Timeline;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Takes down one submission of the built-in programs. */
final class FakeWriter implements CommandWriter {
  /**
   * What a submission does: its memory, and whether it may start again after a crash.
   *
   * @param readsStale whether a device's copy went since that the submission reads as it was
   */
  record Work(
      Runnable task,
      List<FakeBuffer> written,
      BooleanSupplier readsStale,
      boolean replayable,
      List<FakeDispatch> dispatches) {}

  /** Memory that a submission binds, and what its operations see of it. */
  private record Use(FakeBuffer buffer, long offset, long length, int access) {
    MemorySegment cpu() {
      return buffer.bytes.asSlice(offset, length);
    }

    MemorySegment device() {
      return buffer.device().asSlice(offset, length);
    }

    boolean readsCopy() {
      return (access & Buffer.READ) != 0 && (access & Buffer.NO_COPY_IN) != 0;
    }

    /** Tells whether the device's copy of now went. */
    BooleanSupplier lost() {
      int now = buffer.copiesLost();
      return () -> buffer.copiesLost() != now;
    }

    /** Returns the bytes that it copies. */
    long copyIn() {
      if ((access & Buffer.NO_COPY_IN) != 0) {
        return 0;
      }
      device().copyFrom(cpu());
      return length;
    }

    long copyBack() {
      if ((access & Buffer.WRITE) == 0 || (access & Buffer.NO_COPY_BACK) != 0) {
        return 0;
      }
      cpu().copyFrom(device());
      return length;
    }
  }

  private final FakeAccelerator device;
  private List<Use> used;
  private List<MemorySegment> buffers;
  private FakeDispatch dispatch;
  private List<FakeDispatch> dispatches;
  private List<Long> scalars;
  private List<Runnable> operations;
  private boolean replayable;
  private String mistake;

  FakeWriter(FakeAccelerator device) {
    this.device = device;
  }

  FakeWriter clear() {
    used = new ArrayList<>();
    operations = new ArrayList<>();
    dispatches = new ArrayList<>();
    replayable = false;
    mistake = "";
    return this;
  }

  boolean readsLost() {
    return used.stream()
        .filter(use -> (use.access() & Buffer.READ) != 0)
        .anyMatch(
            use ->
                (use.access() & Buffer.NO_COPY_IN) != 0
                    ? use.buffer().isStale()
                    : use.buffer().isLost());
  }

  Work take() {
    List<Runnable> all = operations;
    List<Use> uses = used;
    List<FakeBuffer> written =
        uses.stream().filter(use -> (use.access() & Buffer.WRITE) != 0).map(Use::buffer).toList();
    written.forEach(FakeBuffer::found);
    uses.forEach(use -> use.buffer().copied());
    List<BooleanSupplier> stale = uses.stream().filter(Use::readsCopy).map(Use::lost).toList();
    return new Work(
        () -> {
          uses.forEach(use -> device.copied.addAndGet(use.copyIn()));
          all.forEach(Runnable::run);
          uses.forEach(use -> device.copied.addAndGet(use.copyBack()));
        },
        written,
        () -> stale.stream().anyMatch(BooleanSupplier::getAsBoolean),
        replayable,
        dispatches);
  }

  @Override
  public CommandWriter replayable() {
    replayable = true;
    return this;
  }

  @Override
  public CommandWriter after(Timeline timeline, long point) {
    return this;
  }

  @Override
  public CommandWriter after(Fence fence) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CommandWriter waitAtMost(long timeoutNs) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CommandWriter signal(HostTimeline timeline, long point) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int use(Buffer buffer, long offset, long length, int access) {
    int bits = Buffer.NO_COPY_IN | Buffer.NO_COPY_BACK;
    if (!device.describes && (access & bits) != 0) {
      mistake = "use: the device does not describe kernels";
    }
    if (used.size() == MAX_USES - 1) {
      mistake = "use: more than " + MAX_USES + " bindings";
    }
    used.add(new Use((FakeBuffer) buffer, offset, length, access));
    return used.size() - 1;
  }

  @Override
  public CommandWriter copy(int dst, long dstOffset, int src, long srcOffset, long bytes) {
    MemorySegment to = used.get(dst).device();
    MemorySegment from = used.get(src).device();
    operations.add(() -> MemorySegment.copy(from, srcOffset, to, dstOffset, bytes));
    return this;
  }

  @Override
  public CommandWriter fill(int dst, long offset, long bytes, int pattern) {
    MemorySegment to = used.get(dst).device().asSlice(offset, bytes);
    device.filled.addAndGet(bytes);
    operations.add(
        () -> {
          for (long i = 0; i < bytes; i++) {
            to.set(ValueLayout.JAVA_BYTE, i, (byte) (pattern >>> 8 * (i % 4)));
          }
        });
    return this;
  }

  @Override
  public CommandWriter dispatch(Program loaded, int entry, int x, int y, int z) {
    String name = ((FakeProgram) loaded).builtins().get(entry);
    List<MemorySegment> given = new ArrayList<>();
    List<Long> values = new ArrayList<>();
    buffers = given;
    scalars = values;
    dispatch = new FakeDispatch(List.of(x, y, z));
    dispatches.add(dispatch);
    operations.add(
        () -> {
          FakePrograms.run(name, given, values);
          device.ran.incrementAndGet();
          if (name.equals("down-u32") && FakeArithmetic.first(given) == device.crashWhen) {
            device.crash();
          }
        });
    return this;
  }

  @Override
  public CommandWriter local(int x, int y, int z) {
    dispatch.local = List.of(x, y, z);
    return this;
  }

  @Override
  public CommandWriter offset(long x, long y, long z) {
    dispatch.offset = List.of(x, y, z);
    return this;
  }

  @Override
  public CommandWriter arg(int use) {
    buffers.add(used.get(use).device());
    return this;
  }

  @Override
  public CommandWriter argU32(int value) {
    return scalar("u32 " + Integer.toUnsignedString(value), value);
  }

  @Override
  public CommandWriter argI32(int value) {
    return scalar("i32 " + value, value);
  }

  @Override
  public CommandWriter argU64(long value) {
    return scalar("u64 " + Long.toUnsignedString(value), value);
  }

  @Override
  public CommandWriter argI64(long value) {
    return scalar("i64 " + value, value);
  }

  @Override
  public CommandWriter argF32(float value) {
    return scalar("f32 " + value, Float.floatToRawIntBits(value));
  }

  @Override
  public CommandWriter argF64(double value) {
    return scalar("f64 " + value, Double.doubleToRawLongBits(value));
  }

  private CommandWriter scalar(String shown, long bits) {
    scalars.add(bits);
    dispatch.arguments.add(shown);
    return this;
  }

  @Override
  public CommandWriter argLocal(long bytes) {
    dispatch.arguments.add("local " + bytes);
    return this;
  }

  @Override
  public CommandWriter argBytes(MemorySegment bytes) {
    dispatch.arguments.add(
        "bytes " + HexFormat.of().formatHex(bytes.toArray(ValueLayout.JAVA_BYTE)));
    return this;
  }

  @Override
  public CommandWriter vendor(MemorySegment operation) {
    return this;
  }

  @Override
  public String mistake() {
    return mistake;
  }
}
