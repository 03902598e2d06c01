package io.isle.core.drivers.nativecode;

import io.isle.api.base.Errno;
import io.isle.api.driver.CompletionSink;
import io.isle.lib.ffi.MemoryFile;
import io.isle.lib.shm.Channel;
import io.isle.lib.shm.CompletionRing;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** Tier 2: the driver lives in a host process; requests and completions go over shared rings. */
final class HostLane implements Lane {
  private final Channel channel;
  private final HostProcess host;
  private final CompletionRing completions;
  private volatile String abandoned = "";
  private boolean closed;
  private CompletionSink sink;
  private final CompletionRing.Handler handler =
      (tag, status, start, end, busy, detail) -> {
        int ignored = sink.complete(tag, status, start, end, busy, detail);
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
  public void offerSegment(int segment, MemoryFile file, MemorySegment memory, boolean writable) {
    host.send(segment, file, writable);
  }

  @Override
  public int submit(long tag, long context, long offset, int length) {
    if (!channel.requests().offerSubmit(tag, context, offset, length)) {
      return -Errno.EAGAIN;
    }
    channel.dataBell().ring();
    return 0;
  }

  @Override
  public int preempt(long context, int reason) {
    if (!channel.requests().offerPreempt(context, reason)) {
      return -Errno.EAGAIN;
    }
    channel.dataBell().ring();
    return 0;
  }

  @Override
  public int poll(int limit, CompletionSink to) {
    sink = to;
    return completions.drain(limit, handler);
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
