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
import java.lang.foreign.ValueLayout;
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
import java.util.concurrent.TimeoutException;

/** A context of {@link FakeAccelerator}. */
final class FakeContext implements Context {
  private final FakeAccelerator device;
  private final ContextSpec spec;
  private final ExecutorService queue = Executors.newSingleThreadExecutor();
  private final List<Future<Integer>> work = new ArrayList<>();
  private final Set<FakeBuffer> buffers = new HashSet<>();
  private final FakeWriter writer = new FakeWriter();
  private int ended;
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
  public Buffer allocate(long bytes, int flags) {
    check();
    synchronized (this) {
      if (device.used.addAndGet(bytes) > device.memoryBytes) {
        device.used.addAndGet(-bytes);
        throw new AccelException(Errno.ENOMEM, "memory of fake0 is full");
      }
      FakeBuffer buffer = new FakeBuffer(bytes, (flags & Buffer.RETAINED) != 0);
      buffers.add(buffer);
      return buffer;
    }
  }

  /** Control calls fail while the device recovers and once the context has ended. */
  private void check() {
    int code = state();
    if (code != 0) {
      throw new AccelException(-code, "the context takes no calls");
    }
  }

  private int state() {
    boolean recovering = device.recovering();
    synchronized (this) {
      return closed ? -Errno.ECLOSED : ended != 0 ? ended : recovering ? -Errno.EINTR : 0;
    }
  }

  /** The driver is gone, and what it had in its memory. */
  synchronized void loseContents() {
    buffers.forEach(FakeBuffer::lose);
  }

  /** The context is gone for good. */
  synchronized void end(int code) {
    ended = code;
  }

  @Override
  public Buffer attach(MemoryObject memory, int access) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Program load(ProgramSource source) {
    check();
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
  public long submit(CommandWriter ignored) {
    int code = state();
    if (code != 0) {
      return code;
    }
    int epoch = device.epoch();
    synchronized (this) {
      if (writer.readsLost()) {
        return -Errno.ENODATA;
      }
      Work given = writer.take();
      work.add(queue.submit(() -> run(given, epoch)));
      device.submitted.incrementAndGet();
      return work.size();
    }
  }

  /** What a submission does: its memory, and whether it may start again after a crash. */
  private record Work(Runnable task, List<FakeBuffer> written, boolean replayable) {}

  private int run(Work given, int submittedEpoch) throws InterruptedException {
    int number = device.next();
    FakePlan.Event event = device.plan.take(number);
    int epoch = submittedEpoch;
    if (event != null) {
      switch (event) {
        case CRASH -> device.crash();
        case GONE -> device.end(-Errno.ENODEV);
        case RESTART -> device.end(-Errno.ECLOSED);
        case LOST_INPUT -> {
          return -Errno.ENODATA;
        }
        case CRASH_AFTER -> {
          given.task().run();
          device.crash();
          return 0;
        }
      }
    }
    if (device.epoch() != epoch) {
      synchronized (this) {
        if (ended != 0) {
          return ended;
        }
      }
      if (!given.replayable()) {
        return -Errno.EINTR;
      }
      epoch = device.epoch();
      given.written().forEach(FakeBuffer::found);
    }
    int status = device.status(number);
    if (status == 0) {
      given.task().run();
    }
    if (device.spoils) {
      given.written().forEach(FakeBuffer::spoil);
    }
    return device.epoch() == epoch ? status : -Errno.EINTR;
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
      return timeoutNs < 0 ? future.get() : future.get(timeoutNs, TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return -Errno.ETIME;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return -Errno.ECANCELED;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  @Override
  public int awaitUsable(long timeoutNs) {
    long end = System.nanoTime() + timeoutNs;
    while (true) {
      int code = state();
      if (code != -Errno.EINTR) {
        return code;
      }
      long left = timeoutNs < 0 ? Long.MAX_VALUE : end - System.nanoTime();
      if (left <= 0) {
        return -Errno.ETIME;
      }
      try {
        device.await(Math.min(left, 1_000_000));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return -Errno.ECANCELED;
      }
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
    String state = closed ? "closed" : ended != 0 ? "lost" : "open";
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
    boolean interrupted = false;
    while (!queue.isTerminated()) {
      try {
        if (!queue.awaitTermination(10, TimeUnit.SECONDS)) {
          throw new IllegalStateException("work does not end");
        }
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    List.copyOf(buffers).forEach(FakeBuffer::close);
    device.closed(this);
  }

  private final class FakeBuffer implements Buffer, MemoryObject {
    private final Arena arena = Arena.ofShared();
    private final MemorySegment bytes;
    private final boolean retained;
    private boolean lost;

    FakeBuffer(long size, boolean retained) {
      bytes = arena.allocate(size, 64);
      this.retained = retained;
    }

    synchronized void lose() {
      if (!retained) {
        bytes.fill((byte) 0x5a);
        lost = true;
      }
    }

    synchronized void found() {
      lost = false;
    }

    void spoil() {
      for (long at = 0; at < bytes.byteSize(); at += 32) {
        bytes.set(ValueLayout.JAVA_BYTE, at, (byte) ~bytes.get(ValueLayout.JAVA_BYTE, at));
      }
    }

    synchronized boolean isLost() {
      return lost;
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
      return this;
    }

    @Override
    public Contents contents() {
      return isLost() ? Contents.LOST : Contents.VALID;
    }

    @Override
    public int references() {
      return 1;
    }

    @Override
    public Mapping map() {
      check();
      return new FakeMapping(this);
    }

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

  private record FakeMapping(FakeBuffer buffer) implements Mapping {
    @Override
    public MemorySegment segment() {
      return buffer.bytes;
    }

    @Override
    public void flush(long offset, long length) {
      buffer.found();
    }

    @Override
    public void invalidate(long offset, long length) {}

    @Override
    public void close() {}
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

  private final class FakeWriter implements CommandWriter {
    private List<MemorySegment> used;
    private List<MemorySegment> buffers;
    private List<FakeBuffer> read;
    private List<FakeBuffer> written;
    private String program;
    private long scalar;
    private boolean replayable;

    FakeWriter clear() {
      used = new ArrayList<>();
      buffers = new ArrayList<>();
      read = new ArrayList<>();
      written = new ArrayList<>();
      replayable = false;
      return this;
    }

    boolean readsLost() {
      return read.stream().anyMatch(FakeBuffer::isLost);
    }

    Work take() {
      List<MemorySegment> given = buffers;
      String name = program;
      long value = scalar;
      written.forEach(FakeBuffer::found);
      return new Work(() -> FakePrograms.run(name, given, value), written, replayable);
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
    public int use(Buffer buffer, long offset, long length, int access) {
      FakeBuffer fake = (FakeBuffer) buffer;
      ((access & Buffer.WRITE) != 0 ? written : read).add(fake);
      used.add(fake.bytes.asSlice(offset, length));
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
