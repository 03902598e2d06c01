package io.isle.apps.jobs;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Accelerator;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Completion;
import io.isle.api.accel.CompletionListener;
import io.isle.api.accel.CompletionStatus;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextInfo;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.MemoryObject;
import io.isle.api.accel.PerfCounters;
import io.isle.api.accel.Program;
import io.isle.api.accel.ProgramSource;
import io.isle.api.accel.Timeline;
import io.isle.api.accel.WorkError;
import io.isle.api.base.Errno;
import io.isle.api.device.Priority;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
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
  private int interruptions;
  private final FakeAccelerator device;
  private final ContextSpec spec;
  private final ExecutorService queue = Executors.newSingleThreadExecutor();
  private final List<Future<Integer>> work = new ArrayList<>();
  private final Set<FakeBuffer> buffers = new HashSet<>();
  private final FakeWriter writer;
  private volatile CompletionListener listener;
  private int ended;
  private boolean closed;

  FakeContext(FakeAccelerator device, ContextSpec spec) {
    this.device = device;
    this.spec = spec;
    writer = new FakeWriter(device);
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
      FakeBuffer buffer =
          new FakeBuffer(this, bytes, (flags & Buffer.RETAINED) != 0, device.staging);
      buffers.add(buffer);
      return buffer;
    }
  }

  /** Control calls fail while the device recovers and once the context has ended. */
  void check() {
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

  /** The buffer's memory is free again; false if it was already. */
  synchronized boolean free(FakeBuffer buffer) {
    boolean had = buffers.remove(buffer);
    if (had) {
      device.used.addAndGet(-buffer.size());
    }
    return had;
  }

  /** Whether the next access of mapped memory finds it unmapped. */
  boolean unmapsNow() {
    return device.unmapped.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
  }

  void checkMap() {
    if (device.unmappable.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw new AccelException(Errno.EINTR, device.name + " recovers");
    }
  }

  /** The driver is gone, and what it had in its memory. */
  synchronized void loseContents() {
    interruptions++;
    buffers.forEach(FakeBuffer::lose);
  }

  /** Another driver has the contents, but not what the old one had in its own copies. */
  synchronized void carryOver() {
    interruptions++;
    buffers.forEach(FakeBuffer::carryOver);
  }

  @Override
  public Optional<WorkError> error(long point) {
    return device.failLine.isEmpty() || point < 1
        ? Optional.empty()
        : Optional.of(new WorkError(point, CompletionStatus.ERROR, -Errno.EINVAL, device.failLine));
  }

  @Override
  public synchronized int interruptions() {
    return interruptions;
  }

  /** Why it is gone for good; 0 if it is not. */
  synchronized int ended() {
    return ended;
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
    device.loads.incrementAndGet();
    device.sources.add(source);
    return FakePrograms.load(source, device.describes);
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
    int endings = device.endings();
    synchronized (this) {
      if (writer.readsLost()) {
        return -Errno.ENODATA;
      }
      if (!writer.mistake().isEmpty()) {
        return -Errno.EINVAL;
      }
      FakeWriter.Work given = writer.take();
      device.dispatched.addAll(given.dispatches());
      long point = work.size() + 1L;
      work.add(queue.submit(() -> timed(given, endings, point)));
      device.submitted.incrementAndGet();
    }
    long point = work.size();
    int ended = device.quick ? await(point, -1) : 0;
    return ended == -Errno.ECANCELED ? ended : point;
  }

  private int timed(FakeWriter.Work given, int endings, long point) throws InterruptedException {
    long begun = System.nanoTime();
    int status = FakeEngine.run(device, this, given, endings);
    CompletionListener told = listener;
    if (told != null) {
      told.completed(
          this,
          new Completion(
              point,
              status,
              status == 0 ? CompletionStatus.SUCCESS : CompletionStatus.ERROR,
              status == 0 ? begun : 0,
              System.nanoTime(),
              0,
              0));
    }
    return status;
  }

  @Override
  public CompletionStatus outcome(long point) {
    throw new UnsupportedOperationException();
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
  public void listen(CompletionListener next, Executor executor) {
    check();
    listener = next;
  }

  @Override
  public int defer(Runnable task) {
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
        "1",
        spec.name(),
        "test",
        "default",
        "fake0",
        spec.priority() == null ? Priority.NORMAL : spec.priority(),
        state,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0);
  }

  @Override
  public synchronized PerfCounters counters() {
    device.onCounters.run();
    long spent = 1_000L * work.size();
    return new PerfCounters(
        0, 0, 0, work.size(), 0, 0, 0, List.of(0L, 0L, 0L, 0L, spent, 0L, 0L, 0L));
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
}
