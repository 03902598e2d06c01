package io.isle.core.drivers.nativecode;

import io.isle.api.base.Errno;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DevicePort;
import io.isle.lib.shm.Channel;
import io.isle.lib.shm.CompletionRing;
import io.isle.lib.shm.StartedTable;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** Tier 2: the driver lives in a host process; requests and completions go over shared rings. */
final class HostLane implements Lane {
  /** What the core gave up may still complete, each once: more than can be in flight is a lie. */
  private static final int MAX_REFUSED = DevicePort.MAX_INFLIGHT;

  private final Channel channel;
  private final HostProcess host;
  private final CompletionRing completions;
  private volatile String abandoned = "";
  private boolean closed;
  private CompletionSink sink;
  private int refused;
  private final CompletionRing.Handler handler =
      (tag, status, start, end, busy, detail) -> {
        if (sink.complete(tag, status, start, end, busy, detail) < 0) {
          refused++;
        }
      };

  HostLane(Channel channel, HostProcess host) {
    this.channel = channel;
    this.host = host;
    this.completions = channel.completions();
  }

  @Override
  public byte[] control(MemorySegment request, long timeoutNs) {
    return channel.control().call(request, timeoutNs, this::alive);
  }

  @Override
  public long nextSeq() {
    return channel.control().nextSeq();
  }

  @Override
  public void offerSegment(int segment, int descriptor, MemorySegment memory, boolean writable) {
    host.send(segment, descriptor, memory.byteSize(), writable);
  }

  @Override
  public int submit(long tag, long context, long offset, int length) {
    if (!channel.requests().offerSubmit(tag, context, offset, length)) {
      return full();
    }
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
      abandon("the driver host claims to have taken requests that were never made");
    }
    return -Errno.EAGAIN;
  }

  @Override
  public int poll(int limit, CompletionSink to) {
    sink = to;
    int count = completions.drain(limit, handler);
    if (refused > MAX_REFUSED) {
      abandon("the driver host completed what was not in flight, " + refused + " times");
    }
    return count;
  }

  @Override
  public StartedTable starts() {
    return channel.started();
  }

  @Override
  public boolean alive() {
    return abandoned.isEmpty() && host.process().isAlive();
  }

  @Override
  public String cause() {
    if (!abandoned.isEmpty()) {
      return abandoned;
    }
    String crash = channel.crashText();
    return "the driver host (pid "
        + host.process().pid()
        + ") "
        + HostProcess.ending(host.process())
        + (crash.isEmpty() ? "" : ": " + crash);
  }

  @Override
  public void abandon(String why) {
    if (abandoned.isEmpty()) {
      abandoned = why;
    }
    host.process().destroyForcibly();
  }

  @Override
  public Optional<Long> hostPid() {
    return Optional.of(host.process().pid());
  }

  /** Runs {@code action} once, when the process has ended. */
  void onExit(Runnable action) {
    var ignored = host.process().onExit().thenRun(action);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      if (abandoned.isEmpty()) {
        abandoned = "the device was closed";
      }
      host.close();
      channel.close();
    }
  }
}
