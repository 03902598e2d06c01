package io.isle.core.drivers.nativecode;

import io.isle.api.base.Errno;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DriverException;
import io.isle.lib.shm.Channel;
import io.isle.lib.shm.ChannelLayout;
import io.isle.lib.shm.CompletionRing;
import io.isle.lib.shm.StartedTable;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tier 1: the driver is a library of this process. Control calls run on a thread of their own, so
 * that one that hangs can be given up; then the library stays loaded, knowingly.
 */
final class ShimLane implements Lane {
  private static final Logger LOG = LoggerFactory.getLogger(ShimLane.class);

  /** Longest wait for a call whose caller was interrupted. */
  private static final long CALL_END_MS = 1000;

  private final String device;
  private final Channel channel;
  private final CompletionRing completions;
  private final Arena arena = Arena.ofShared();
  private final ExecutorService caller;
  private final ShimLibrary shim;
  private final MemorySegment rt;
  private final MemorySegment own;
  private final MemorySegment response;
  private long seq;
  private final AtomicReference<RecoveryCause> ended = new AtomicReference<>();
  private volatile Consumer<RecoveryCause> lost = cause -> {};
  private volatile boolean hung;
  private boolean closed;
  private volatile boolean unloaded;
  private CompletionSink sink;
  private final CompletionRing.Handler handler =
      (tag, status, start, end, busy, detail) -> {
        int ignored = sink.complete(tag, status, start, end, busy, detail);
      };

  /**
   * Loads the driver library.
   *
   * @throws DriverException saying why it was refused
   */
  ShimLane(Path shimLibrary, Path library, Channel channel, String device) {
    this.device = device;
    this.channel = channel;
    this.completions = channel.completions();
    this.caller =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("isle-control-" + device).factory());
    try {
      this.shim = ShimLibrary.at(shimLibrary);
      this.rt = load(library);
    } catch (IllegalArgumentException e) {
      closeMemory();
      throw new DriverException(Errno.ENOENT, "cannot load " + shimLibrary, e);
    } catch (DriverException e) {
      closeMemory();
      throw e;
    }
    this.own = arena.allocate(ChannelLayout.CONTROL_BYTES, 8);
    this.response = arena.allocate(ChannelLayout.CONTROL_BYTES, 8);
  }

  private MemorySegment load(Path library) {
    try (Arena call = Arena.ofConfined()) {
      MemorySegment why = call.allocate(512);
      MemorySegment out = call.allocate(ValueLayout.ADDRESS);
      int result = shim.load(call.allocateFrom(library.toString()), channel.memory(), why, out);
      if (result < 0) {
        throw new DriverException(-result, why.getString(0));
      }
      return out.get(ValueLayout.ADDRESS, 0);
    }
  }

  @Override
  public byte[] control(MemorySegment request, long timeoutNs) {
    seq++;
    // a call that is given up still reads its request, from another thread
    MemorySegment kept = own.asSlice(0, request.byteSize()).copyFrom(request);
    Future<byte[]> answer =
        caller.submit(
            () -> {
              long length = shim.control(rt, kept, response);
              return length <= 0 || length > response.byteSize()
                  ? new byte[0]
                  : response.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
            });
    try {
      return answer.get(timeoutNs, TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      hung = true;
      return new byte[0];
    } catch (InterruptedException e) {
      // the call itself goes on; end() waits for it
      Thread.currentThread().interrupt();
      return new byte[0];
    } catch (ExecutionException e) {
      throw new IllegalStateException("a control call failed", e.getCause());
    }
  }

  @Override
  public long nextSeq() {
    return seq + 1;
  }

  @Override
  public void offerSegment(int segment, int descriptor, MemorySegment memory, boolean writable) {
    int result = shim.addSegment(rt, segment, memory, writable);
    if (result < 0) {
      throw new DriverException(-result, "the driver runtime refused segment " + segment);
    }
  }

  @Override
  public int submit(long tag, long context, long offset, int length) {
    return shim.submit(rt, tag, context, offset, length);
  }

  @Override
  public int preempt(long context, int reason) {
    return shim.preempt(rt, context, reason);
  }

  @Override
  public int poll(int limit, CompletionSink to) {
    sink = to;
    int ignored = shim.poll(rt, limit);
    return completions.drain(limit, handler);
  }

  @Override
  public StartedTable starts() {
    return channel.started();
  }

  @Override
  public boolean alive() {
    return ended.get() == null;
  }

  @Override
  public RecoveryCause cause() {
    return ended.get();
  }

  @Override
  public void abandon(RecoveryCause cause) {
    RecoveryCause told =
        new RecoveryCause(
            cause.kind(),
            cause.text() + "; its code stays in this process until the platform restarts");
    if (ended.compareAndSet(null, told)) {
      lost.accept(told);
    }
  }

  @Override
  public void onLost(Consumer<RecoveryCause> listener) {
    lost = listener;
    RecoveryCause before = ended.get();
    if (before != null) {
      listener.accept(before);
    }
  }

  @Override
  public void epoch(int epoch) {
    channel.epoch(epoch);
  }

  @Override
  public Optional<Long> hostPid() {
    return Optional.empty();
  }

  @Override
  public void end() {
    if (closed) {
      return;
    }
    closed = true;
    ended.compareAndSet(
        null, new RecoveryCause(RecoveryCause.Kind.RELOAD, "the device was closed"));
    if (!callsEnd(hung ? 0 : CALL_END_MS)) {
      LOG.warn("{}: a control call did not return; the driver's library stays loaded", device);
      return;
    }
    int result = shim.unload(rt);
    unloaded = result == 0;
    if (!unloaded) {
      throw new DriverException(
          -result, "the driver's library did not unload; it stays in this process");
    }
  }

  /** Takes no further call; whether those that were made have ended in time. */
  private boolean callsEnd(long withinMs) {
    caller.shutdown();
    boolean interrupted = Thread.interrupted();
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(withinMs);
    try {
      while (true) {
        try {
          return caller.awaitTermination(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** What a library that stays may still use stays with it. */
  @Override
  public void release() {
    if (unloaded) {
      closeMemory();
    }
  }

  private void closeMemory() {
    caller.close();
    arena.close();
    channel.close();
  }
}
