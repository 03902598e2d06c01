package io.isle.apps.jobs;

import io.isle.api.accel.Buffer;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Fence;
import io.isle.api.accel.HostTimeline;
import io.isle.api.accel.Program;
import io.isle.api.accel.Timeline;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Takes down one submission of the built-in programs. */
final class FakeWriter implements CommandWriter {
  /** What a submission does: its memory, and whether it may start again after a crash. */
  record Work(Runnable task, List<FakeBuffer> written, boolean replayable) {}

  /** A binding. */
  private record Use(FakeBuffer buffer, long offset, long length, int access) {
    boolean has(int bit) {
      return (access & bit) != 0;
    }

    /** Copies to the device's memory, or back. */
    long copy(boolean back) {
      boolean copies =
          back ? has(Buffer.WRITE) && !has(Buffer.NO_COPY_BACK) : !has(Buffer.NO_COPY_IN);
      if (copies) {
        MemorySegment from = back ? buffer.copy : buffer.bytes;
        MemorySegment to = back ? buffer.bytes : buffer.copy;
        MemorySegment.copy(from, offset, to, offset, length);
      }
      return copies ? length : 0;
    }
  }

  private final FakeAccelerator device;
  private List<Use> used;
  private List<MemorySegment> buffers;
  private List<Long> scalars;
  private List<Runnable> operations;
  private boolean replayable;

  FakeWriter(FakeAccelerator device) {
    this.device = device;
  }

  FakeWriter clear() {
    used = new ArrayList<>();
    operations = new ArrayList<>();
    replayable = false;
    return this;
  }

  boolean readsLost() {
    return used.stream().anyMatch(use -> use.has(Buffer.READ) && use.buffer().isLost());
  }

  Work take() {
    List<Use> uses = used;
    List<Runnable> all = operations;
    List<FakeBuffer> written =
        uses.stream().filter(use -> use.has(Buffer.WRITE)).map(Use::buffer).toList();
    written.forEach(FakeBuffer::found);
    return new Work(
        () -> {
          copy(uses, false);
          all.forEach(Runnable::run);
          copy(uses, true);
        },
        written,
        replayable);
  }

  private void copy(List<Use> uses, boolean back) {
    if (device.staging) {
      uses.forEach(use -> device.copied.addAndGet(use.copy(back)));
    }
  }

  private MemorySegment memory(int use) {
    Use of = used.get(use);
    MemorySegment all = device.staging ? of.buffer().copy : of.buffer().bytes;
    return all.asSlice(of.offset(), of.length());
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
    used.add(new Use((FakeBuffer) buffer, offset, length, access));
    return used.size() - 1;
  }

  @Override
  public CommandWriter copy(int dst, long dstOffset, int src, long srcOffset, long bytes) {
    MemorySegment to = memory(dst);
    MemorySegment from = memory(src);
    operations.add(() -> MemorySegment.copy(from, srcOffset, to, dstOffset, bytes));
    return this;
  }

  /** Of bytes that are all the same. */
  @Override
  public CommandWriter fill(int dst, long offset, long bytes, int pattern) {
    MemorySegment to = memory(dst).asSlice(offset, bytes);
    operations.add(() -> to.fill((byte) pattern));
    return this;
  }

  @Override
  public CommandWriter dispatch(Program loaded, int entry, int x, int y, int z) {
    String name = ((FakeProgram) loaded).builtins().get(entry);
    List<MemorySegment> given = new ArrayList<>();
    List<Long> values = new ArrayList<>();
    buffers = given;
    scalars = values;
    operations.add(
        () -> {
          device.dispatches.incrementAndGet();
          FakePrograms.run(name, given, values);
          if (name.equals("down-u32") && FakeArithmetic.first(given) == device.crashWhen) {
            device.crash();
          }
        });
    return this;
  }

  @Override
  public CommandWriter arg(int use) {
    buffers.add(memory(use));
    return this;
  }

  @Override
  public CommandWriter argU32(int value) {
    return argU64(value);
  }

  @Override
  public CommandWriter argI32(int value) {
    return argU64(value);
  }

  @Override
  public CommandWriter argU64(long value) {
    scalars.add(value);
    return this;
  }

  @Override
  public CommandWriter argI64(long value) {
    return argU64(value);
  }

  @Override
  public CommandWriter argF32(float value) {
    scalars.add((long) Float.floatToRawIntBits(value));
    return this;
  }

  @Override
  public CommandWriter argF64(double value) {
    scalars.add(Double.doubleToRawLongBits(value));
    return this;
  }

  @Override
  public CommandWriter local(int x, int y, int z) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CommandWriter offset(long x, long y, long z) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CommandWriter argLocal(long bytes) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CommandWriter argBytes(MemorySegment bytes) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CommandWriter vendor(MemorySegment operation) {
    return this;
  }

  @Override
  public String mistake() {
    return "";
  }
}
