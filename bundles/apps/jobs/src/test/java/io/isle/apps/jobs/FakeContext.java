package io.isle.apps.jobs;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Accelerator;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Completion;
import io.isle.api.accel.CompletionListener;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextInfo;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.Mapping;
import io.isle.api.accel.MemoryObject;
import io.isle.api.accel.PerfCounters;
import io.isle.api.accel.Program;
import io.isle.api.accel.ProgramSource;
import io.isle.api.accel.Timeline;
import io.isle.api.base.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** A context of {@link FakeAccelerator}. */
final class FakeContext implements Context {
  private final FakeAccelerator device;
  private final ContextSpec spec;
  private final ExecutorService queue = Executors.newSingleThreadExecutor();
  private final List<Future<Integer>> work = new ArrayList<>();
  private final Set<FakeBuffer> buffers = new HashSet<>();
  private final FakeWriter writer = new FakeWriter();
  private boolean closed;

  FakeContext(FakeAccelerator device, ContextSpec spec) {
    this.device = device;
    this.spec = spec;
  }

  @Override
  public long id() {
    return 1;
  }

  @Override
  public Accelerator accelerator() {
    return device;
  }

  @Override
  public synchronized Buffer allocate(long bytes, int flags) {
    if (device.used.addAndGet(bytes) > device.memoryBytes) {
      device.used.addAndGet(-bytes);
      throw new AccelException(Errno.ENOMEM, "memory of fake0 is full");
    }
    FakeBuffer buffer = new FakeBuffer(bytes);
    buffers.add(buffer);
    return buffer;
  }

  @Override
  public Buffer attach(MemoryObject memory, int access) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Program load(ProgramSource source) {
    String name = ((ProgramSource.Builtin) source).name();
    return new FakeProgram(name);
  }

  @Override
  public Timeline timeline() {
    throw new UnsupportedOperationException();
  }

  @Override
  public CommandWriter writer() {
    return writer.clear();
  }

  @Override
  public synchronized long submit(CommandWriter ignored) {
    if (closed) {
      return -Errno.ECLOSED;
    }
    Runnable task = writer.task();
    work.add(
        queue.submit(
            () -> {
              int status = device.nextStatus();
              if (status == 0) {
                task.run();
              }
              return status;
            }));
    return work.size();
  }

  @Override
  public int status(long point) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int await(long point, long timeoutNs) {
    Future<Integer> future;
    synchronized (this) {
      future = work.get((int) point - 1);
    }
    try {
      return future.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return -Errno.ECANCELED;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  @Override
  public void listen(CompletionListener listener, Executor executor) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletableFuture<Completion> submitAsync(CommandWriter ignored) {
    throw new UnsupportedOperationException();
  }

  @Override
  public synchronized ContextInfo info() {
    String state = closed ? "closed" : "open";
    return new ContextInfo(
        "1", spec.name(), "test", "fake0", spec.priority(), state, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  }

  @Override
  public PerfCounters counters() {
    return new PerfCounters(0, 0, 0, work.size(), 0, 0, 0, List.of());
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    queue.shutdownNow();
    try {
      if (!queue.awaitTermination(10, TimeUnit.SECONDS)) {
        throw new IllegalStateException("work does not end");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("closed with the interrupt flag set", e);
    }
    List.copyOf(buffers).forEach(FakeBuffer::close);
    device.contexts.decrementAndGet();
  }

  private final class FakeBuffer implements Buffer, Mapping {
    private final Arena arena = Arena.ofShared();
    private final MemorySegment bytes;

    FakeBuffer(long size) {
      bytes = arena.allocate(size, 64);
    }

    @Override
    public long id() {
      return 1;
    }

    @Override
    public long size() {
      return bytes.byteSize();
    }

    @Override
    public MemoryObject memory() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Mapping map() {
      return this;
    }

    @Override
    public MemorySegment segment() {
      return bytes;
    }

    @Override
    public void flush(long offset, long length) {}

    @Override
    public void invalidate(long offset, long length) {}

    @Override
    public void close() {
      synchronized (FakeContext.this) {
        if (buffers.remove(this)) {
          device.used.addAndGet(-bytes.byteSize());
          arena.close();
        }
      }
    }
  }

  private record FakeProgram(String name) implements Program {
    @Override
    public long id() {
      return 1;
    }

    @Override
    public List<Entry> entries() {
      return List.of(new Entry(name, FakePrograms.ENTRIES.get(name)));
    }

    @Override
    public void close() {}
  }

  private static final class FakeWriter implements CommandWriter {
    private List<MemorySegment> used;
    private List<MemorySegment> buffers;
    private String program;
    private long scalar;

    FakeWriter clear() {
      used = new ArrayList<>();
      buffers = new ArrayList<>();
      return this;
    }

    Runnable task() {
      List<MemorySegment> given = buffers;
      String name = program;
      long value = scalar;
      return () -> FakePrograms.run(name, given, value);
    }

    @Override
    public CommandWriter after(Timeline timeline, long point) {
      return this;
    }

    @Override
    public int use(Buffer buffer, long offset, long length, int access) {
      used.add(buffer.map().segment().asSlice(offset, length));
      return used.size() - 1;
    }

    @Override
    public CommandWriter copy(int dst, long dstOffset, int src, long srcOffset, long bytes) {
      return this;
    }

    @Override
    public CommandWriter fill(int dst, long offset, long bytes, int pattern) {
      return this;
    }

    @Override
    public CommandWriter dispatch(Program loaded, int entry, int x, int y, int z) {
      program = ((FakeProgram) loaded).name();
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
      scalar = value;
      return this;
    }

    @Override
    public CommandWriter argI64(long value) {
      return argU64(value);
    }

    @Override
    public CommandWriter argF32(float value) {
      return this;
    }

    @Override
    public CommandWriter argF64(double value) {
      return this;
    }

    @Override
    public CommandWriter vendor(MemorySegment operation) {
      return this;
    }
  }
}
