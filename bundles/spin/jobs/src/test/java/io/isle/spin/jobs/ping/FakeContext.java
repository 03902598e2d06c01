package io.isle.spin.jobs.ping;

import io.isle.api.base.Errno;
import io.isle.api.spin.ContextInfo;
import io.isle.api.spin.ContextSpec;
import io.isle.api.spin.ContextState;
import io.isle.api.spin.ContextStats;
import io.isle.api.spin.ExecutionContext;
import io.isle.api.spin.HandlerSource;
import io.isle.api.spin.HostRequestHandler;
import io.isle.api.spin.MemoryRegion;
import io.isle.api.spin.SpinException;
import io.isle.api.spin.TextPart;
import io.isle.api.spin.TrapEvent;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;

/** A context with host pages and without handlers. */
final class FakeContext implements ExecutionContext {
  final byte[] pages = new byte[16 * PAGE];

  /** HPU and length of each response. */
  final BlockingQueue<List<Integer>> responses = new LinkedBlockingQueue<>();

  final ContextSpec spec;
  volatile boolean recovers;
  volatile boolean closed;
  volatile boolean listens;
  HostRequestHandler handler;
  Executor executor;
  RuntimeException refusal;
  Optional<TrapEvent> trap = Optional.empty();

  FakeContext(ContextSpec spec) {
    this.spec = spec;
  }

  void request(int hpu, byte[] payload) {
    System.arraycopy(payload, 0, pages, hpu * PAGE + PAYLOAD, payload.length);
    executor.execute(() -> handler.request(hpu, payload.length));
  }

  @Override
  public ContextInfo info() {
    ContextStats stats =
        new ContextStats(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, List.of());
    return new ContextInfo(
        spec.name(),
        "nic",
        0,
        "ping",
        "",
        "t",
        "g",
        false,
        recovers ? ContextState.RECOVERING : ContextState.ATTACHED,
        recovers ? "its process has ended" : "",
        0,
        stats);
  }

  @Override
  public long size(MemoryRegion region) {
    return pages.length;
  }

  @Override
  public void read(MemoryRegion region, long offset, byte[] to) {
    if (recovers) {
      throw new SpinException(Errno.EINTR, "recovers");
    }
    System.arraycopy(pages, (int) offset, to, 0, to.length);
  }

  @Override
  public void write(MemoryRegion region, long offset, byte[] from) {
    System.arraycopy(from, 0, pages, (int) offset, from.length);
  }

  @Override
  public int poll(HostRequestHandler to, int limit) {
    return 0;
  }

  @Override
  public void listen(HostRequestHandler to, Executor by) {
    if (refusal != null) {
      throw refusal;
    }
    listens = true;
    handler = to;
    executor = by;
  }

  @Override
  public boolean respond(int hpu, int length) {
    return responses.add(List.of(hpu, length));
  }

  @Override
  public void swap(HandlerSource handlers) {
    throw new UnsupportedOperationException();
  }

  @Override
  public TextPart text(long from) {
    return new TextPart(0, "");
  }

  @Override
  public Optional<TrapEvent> trap() {
    return trap;
  }

  @Override
  public void close() {
    closed = true;
  }
}
