package io.isle.core.drivers.nativecode.host;

import io.isle.api.base.Errno;
import io.isle.api.device.HostFault;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DriverException;
import io.isle.core.drivers.nativecode.control.Lane;
import io.isle.lib.shm.Channel;
import io.isle.lib.shm.CompletionRing;
import io.isle.lib.shm.LogLines;
import io.isle.lib.shm.StartedTable;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** Tier 2: the driver lives in a host process; requests and completions go over shared rings. */
public final class HostLane implements Lane {
  private final Channel channel;
  private final HostProcess host;
  private final CrashReport report;
  private final CompletionRing completions;
  private final AtomicReference<RecoveryCause> ended = new AtomicReference<>();
  private final AtomicReference<Consumer<RecoveryCause>> lost = new AtomicReference<>();
  private volatile boolean calling;
  private boolean over;
  private volatile DevicePort.Bell bell;
  private final SpuriousWakes spurious = new SpuriousWakes(System::nanoTime);
  private final HostCompletions told =
      new HostCompletions(DevicePort.MAX_INFLIGHT, System::nanoTime);

  public HostLane(Channel channel, HostProcess host, CrashReport report) {
    this.channel = channel;
    this.host = host;
    this.report = report;
    this.completions = channel.completions();
    host.onEnd(this::hostEnded);
  }

  @Override
  public byte[] control(MemorySegment request, long timeoutNs) {
    calling = true;
    try {
      return channel.control().call(request, timeoutNs, this::alive);
    } finally {
      calling = false;
    }
  }

  @Override
  public long nextSeq() {
    return channel.control().nextSeq();
  }

  @Override
  public void offerSegment(int segment, int descriptor, MemorySegment memory, boolean writable) {
    try {
      host.send(segment, descriptor, memory.byteSize(), writable);
    } catch (DriverException e) {
      if (e.code() == Errno.EPROTO) {
        abandon(new RecoveryCause(RecoveryCause.Kind.PROTOCOL, e.getMessage()));
      }
      throw e;
    }
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
    if (!channel.requests().offerSubmit(tag, context, offset, length, completions.taken())) {
      return full();
    }
    told.given(tag);
    channel.dataBell().ring();
    return 0;
  }

  @Override
  public int preempt(long context, int reason) {
    if (!channel.requests().offerPreempt(context, reason)) {
      return full();
    }
    channel.dataBell().ring();
    return 0;
  }

  private int full() {
    if (!channel.requests().sane()) {
      abandon(
          new RecoveryCause(
              RecoveryCause.Kind.PROTOCOL,
              "the driver host acknowledged requests that were never sent"));
    }
    return -Errno.EAGAIN;
  }

  @Override
  public void ask(int limit) {}

  @Override
  public int poll(int limit, CompletionSink to) {
    told.to(to);
    int count = completions.drain(limit, told);
    if (told.unknown().tooMany() || completions.overrun()) {
      inventsCompletions();
    }
    if (spurious.onPoll(bell.wakes(), count)) {
      wakesForNothing();
    }
    return count;
  }

  private void wakesForNothing() {
    abandon(
        new RecoveryCause(
            RecoveryCause.Kind.PROTOCOL,
            "the driver host woke the device's agent "
                + spurious.inWindow()
                + " times within "
                + TimeUnit.NANOSECONDS.toSeconds(SpuriousWakes.WINDOW_NS)
                + " s without a matching completion"));
  }

  private void inventsCompletions() {
    abandon(
        new RecoveryCause(
            RecoveryCause.Kind.PROTOCOL,
            "the driver host completed submissions that were not in flight, "
                + (completions.overrun()
                    ? "more often than the completion ring allows"
                    : told.unknown().text())));
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
    return ended.get() == null && !host.hasEnded();
  }

  @Override
  public RecoveryCause cause() {
    RecoveryCause known = ended.get();
    if (known != null) {
      return known;
    }
    String crash = report.text(channel);
    return new RecoveryCause(
        RecoveryCause.Kind.CRASH,
        "the driver host (pid "
            + host.process().pid()
            + ") "
            + host.ending()
            + (crash.isEmpty() ? "" : ": " + crash),
        HostProcess.signal(host.process()));
  }

  @Override
  public void abandon(RecoveryCause cause) {
    ended.compareAndSet(null, cause);
    host.kill();
  }

  /**
   * Harms the host; returns when it is ended or stands still.
   *
   * @throws DriverException ENODEV when it has ended already
   */
  public void injectFault(HostFault fault) {
    host.injectFault(fault);
  }

  @Override
  public void onLost(Consumer<RecoveryCause> listener) {
    lost.set(listener);
    if (host.hasEnded()) {
      hostEnded();
    }
  }

  private void hostEnded() {
    ended.compareAndSet(null, cause());
    Consumer<RecoveryCause> listener = lost.getAndSet(null);
    if (listener != null) {
      listener.accept(ended.get());
    }
  }

  @Override
  public void epoch(int epoch) {
    channel.epoch(epoch);
  }

  /** See {@link Channel#heartbeat}. */
  public long heartbeat() {
    return channel.heartbeat();
  }

  /** Whether requests lie there that the host has not taken. */
  public boolean requestsWait() {
    return channel.requests().pending();
  }

  /**
   * Wakes the data thread while a control call waits or work is not completed: its heartbeat tells
   * whether the host runs. A stopped host that has read its requests shows nothing else.
   */
  public boolean probe() {
    boolean waits = calling || told.owes();
    if (waits) {
      channel.dataBell().ring();
    }
    return waits;
  }

  @Override
  public Optional<Long> hostPid() {
    return Optional.of(host.process().pid());
  }

  @Override
  public void end(boolean closed) {
    if (!over) {
      over = true;
      lost.set(null);
      ended.compareAndSet(
          null, new RecoveryCause(RecoveryCause.Kind.RELOAD, "the device was closed"));
      try {
        host.close();
      } finally {
        mute();
      }
    }
  }

  private void mute() {
    if (bell != null) {
      bell.mute();
    }
  }

  /** Its process has ended. */
  @Override
  public boolean stays() {
    return false;
  }

  @Override
  public void release() {
    try {
      channel.close();
    } finally {
      if (bell != null) {
        bell.close();
      }
    }
  }
}
