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

  private List<MemorySegment> used;
  private List<MemorySegment> buffers;
  private List<FakeBuffer> read;
  private List<FakeBuffer> written;
  private String program;
  private List<Long> scalars;
  private List<Runnable> copies;
  private boolean replayable;

  FakeWriter clear() {
    used = new ArrayList<>();
    buffers = new ArrayList<>();
    read = new ArrayList<>();
    written = new ArrayList<>();
    scalars = new ArrayList<>();
    copies = new ArrayList<>();
    replayable = false;
    return this;
  }

  boolean readsLost() {
    return read.stream().anyMatch(FakeBuffer::isLost);
  }

  Work take() {
    List<MemorySegment> given = buffers;
    String name = program;
    List<Long> values = scalars;
    List<Runnable> before = copies;
    written.forEach(FakeBuffer::found);
    return new Work(
        () -> {
          before.forEach(Runnable::run);
          FakePrograms.run(name, given, values);
        },
        written,
        replayable);
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
    FakeBuffer fake = (FakeBuffer) buffer;
    if ((access & Buffer.WRITE) != 0) {
      written.add(fake);
    }
    if ((access & Buffer.READ) != 0) {
      read.add(fake);
    }
    used.add(fake.bytes.asSlice(offset, length));
    return used.size() - 1;
  }

  @Override
  public CommandWriter copy(int dst, long dstOffset, int src, long srcOffset, long bytes) {
    MemorySegment to = used.get(dst);
    MemorySegment from = used.get(src);
    copies.add(() -> MemorySegment.copy(from, srcOffset, to, dstOffset, bytes));
    return this;
  }

  @Override
  public CommandWriter fill(int dst, long offset, long bytes, int pattern) {
    return this;
  }

  @Override
  public CommandWriter dispatch(Program loaded, int entry, int x, int y, int z) {
    program = ((FakeProgram) loaded).builtins().get(entry);
    return this;
  }

  @Override
  public CommandWriter arg(int use) {
    buffers.add(used.get(use));
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
