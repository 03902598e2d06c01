package io.isle.core.drivers.nativecode.shim;

import io.isle.api.base.Errno;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DriverException;
import io.isle.core.drivers.nativecode.control.ControlClient;
import io.isle.core.drivers.nativecode.control.DeviceOutput;
import io.isle.core.drivers.nativecode.control.Lane;
import io.isle.core.drivers.nativecode.control.Segments;
import io.isle.lib.ffi.MappedArena;
import io.isle.lib.ffi.MemoryFile;
import io.isle.lib.shm.Channel;
import io.isle.lib.shm.ChannelLayout;
import io.isle.lib.shm.CompletionRing;
import io.isle.lib.shm.LogLines;
import io.isle.lib.shm.StartedTable;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tier 1: the driver is a library of this process. Control calls, loading and unloading run on a
 * thread of their own, so that one that hangs can be given up; then the library stays loaded,
 * knowingly.
 */
public final class ShimLane implements Lane {
  private static final Logger LOG = LoggerFactory.getLogger(ShimLane.class);

  private static final String STAYS =
      "the driver's code stays in the platform's process until the platform restarts";

  private final String device;
  private final DeviceOutput output;

  /** Number of the next line of the driver's that is to be told. */
  private long nextLine;

  private final Channel channel;
  private final CompletionRing completions;
  private final MappedArena arena = new MappedArena();
  private final ShimCaller caller;
  private final ShimLibrary shim;
  private final MemorySegment rt;
  private final MemorySegment own;
  private final MemorySegment response;
  private long seq;
  private final AtomicReference<RecoveryCause> ended = new AtomicReference<>();
  private volatile Consumer<RecoveryCause> lost = cause -> {};
  private DevicePort.Bell bell;
  private boolean over;
  private boolean unloaded;
  private CompletionSink sink;
  private final CompletionRing.Handler handler =
      (tag, status, start, end, busy, detail) -> {
        int ignored = sink.complete(tag, status, start, end, busy, detail);
      };

  /**
   * Loads the driver library.
   *
   * @param channel is closed with the lane, also when this throws
   * @throws DriverException saying why it was refused
   */
  public ShimLane(Path shimLibrary, Path library, Channel channel, String device) {
    this.device = device;
    this.output = new DeviceOutput(device, DeviceOutput.logger(device));
    this.channel = channel;
    this.completions = channel.completions();
    this.caller = new ShimCaller(device);
    boolean loaded = false;
    try {
      this.own = arena.allocate(ChannelLayout.CONTROL_BYTES, 8);
      this.response = arena.allocate(ChannelLayout.CONTROL_BYTES, 8);
      this.shim = ShimLibrary.at(shimLibrary);
      this.rt = load(library);
      loaded = true;
    } catch (IllegalArgumentException | NoSuchElementException e) {
      throw new DriverException(
          Errno.ENOENT, "cannot load " + shimLibrary + ": " + e.getMessage(), e);
    } finally {
      if (!loaded) {
        giveUp();
      }
    }
  }

  /** What a call that did not return may still use stays. */
  private void giveUp() {
    caller.shutdown();
    if (!caller.hung()) {
      closeMemory();
    }
  }

  private MemorySegment load(Path library) {
    // a call that is given up still uses them
    MemorySegment path = arena.allocateFrom(library.toString());
    MemorySegment why = arena.allocate(512);
    MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
    int result =
        caller
            .call(() -> shim.load(path, channel.memory(), why, out), ControlClient.BOUND_NS)
            .orElseThrow(
                () ->
                    new DriverException(
                        Errno.ETIMEDOUT, "the driver did not load in time; " + STAYS));
    if (result < 0) {
      throw new DriverException(-result, why.getString(0));
    }
    return out.get(ValueLayout.ADDRESS, 0);
  }

  @Override
  public byte[] control(MemorySegment request, long timeoutNs) {
    seq++;
    // a call that is given up still reads its request, from another thread
    MemorySegment kept = own.asSlice(0, request.byteSize()).copyFrom(request);
    // one whose caller was interrupted goes on; end() waits for it
    return caller
        .unlessInterrupted(
            () -> {
              long length = shim.control(rt, kept, response);
              return length <= 0 || length > response.byteSize()
                  ? new byte[0]
                  : response.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
            },
            timeoutNs)
        .orElse(new byte[0]);
  }

  @Override
  public long nextSeq() {
    return seq + 1;
  }

  @Override
  public void offerSegment(int segment, int descriptor, MemorySegment memory, boolean writable) {
    int result =
        shim.addSegment(rt, segment, lasting(segment, descriptor, memory, writable), writable);
    if (result < 0) {
      throw new DriverException(-result, "the driver runtime refused segment " + segment);
    }
  }

  /** The shared memory ends with the attachment, and a library may stay longer. */
  private MemorySegment lasting(
      int segment, int descriptor, MemorySegment memory, boolean writable) {
    return segment == Segments.COMMANDS || segment == Segments.AGENT
        ? MemoryFile.map(descriptor, memory.byteSize(), writable, arena)
        : memory;
  }

  @Override
  public void rings(DevicePort.Bell on) {
    bell = on;
  }

  @Override
  public void listen() {
    bell.listen();
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
  public void ask(int limit) {
    int ignored = shim.poll(rt, limit);
  }

  @Override
  public int poll(int limit, CompletionSink to) {
    sink = to;
    return completions.drain(limit, handler);
  }

  @Override
  public LogLines log() {
    return channel.log();
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
        new RecoveryCause(cause.kind(), caller.hung() ? cause.text() + "; " + STAYS : cause.text());
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

  /** Has what the driver logged since the last time logged by the platform. */
  public synchronized void tellLog() {
    if (!over) {
      nextLine = output.tell(nextLine, log().since(nextLine));
    }
  }

  @Override
  public void end(boolean closed) {
    tellLog();
    ended.compareAndSet(
        null, new RecoveryCause(RecoveryCause.Kind.RELOAD, "the device was closed"));
    if (bell != null) {
      bell.mute();
    }
    if (!closed) {
      unload();
    }
  }

  private void unload() {
    if (over) {
      return;
    }
    over = true;
    // one that hung and has returned since was said to stay
    Optional<Integer> result =
        caller.hung()
            ? Optional.empty()
            : caller.call(() -> shim.unload(rt), ControlClient.BOUND_NS);
    caller.shutdown();
    unloaded = result.equals(Optional.of(0));
    if (result.isEmpty()) {
      LOG.warn("{}: the driver did not return from a call; {}", device, STAYS);
    } else if (!unloaded) {
      LOG.warn("{}: the driver's library did not unload: {}; {}", device, result.get(), STAYS);
    }
  }

  /** What a library that stays may still use stays with it. */
  @Override
  public void release() {
    unload();
    if (unloaded) {
      closeMemory();
    }
  }

  @Override
  public boolean stays() {
    return !unloaded;
  }

  private void closeMemory() {
    arena.close();
    channel.close();
    if (bell != null) {
      bell.close();
    }
  }
}
