package io.isle.spin.nic.live;

import io.isle.api.base.Errno;
import io.isle.api.spin.ContextInfo;
import io.isle.api.spin.ContextSpec;
import io.isle.api.spin.ContextState;
import io.isle.api.spin.ExecutionContext;
import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.HandlerSource;
import io.isle.api.spin.HostRequestHandler;
import io.isle.api.spin.MemoryRegion;
import io.isle.api.spin.SpinException;
import io.isle.api.spin.TextPart;
import io.isle.api.spin.TrapEvent;
import io.isle.api.tenancy.Capability;
import io.isle.lib.kabi.SpinStructs;
import io.isle.spin.nic.hpus.SpinRings;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;

/** A context on an interface. Thread-safe. */
public final class LiveContext implements ExecutionContext {
  private static final Duration RECOVERY = Duration.ofSeconds(30);

  private final LiveNic nic;
  private final NicThread thread;
  private final ContextLife life;
  private volatile TrapEvent trap;

  LiveContext(LiveNic nic, NicThread thread, ContextLife life) {
    this.nic = nic;
    this.thread = thread;
    this.life = life;
  }

  ContextLife life() {
    return life;
  }

  /** Name of the context. */
  public String name() {
    return life.spec.name();
  }

  /** Whose it is. */
  public Capability capability() {
    return life.capability;
  }

  /** Whether it is one of the settings. */
  public boolean isConfigured() {
    return life.configured;
  }

  /** The present state. */
  public ContextState state() {
    return life.state();
  }

  /** What it was attached with, or changed to. */
  public ContextSpec spec() {
    return life.wanted;
  }

  /** The present handlers. */
  public HandlerImage image() {
    return life.handlers.image();
  }

  /** Why it is in its state; empty while it is attached. */
  public String reason() {
    return life.reason();
  }

  /** Whether it has ended. */
  public boolean isOver() {
    return life.state() == ContextState.DETACHED;
  }

  /** Its interface. */
  public LiveNic nic() {
    return nic;
  }

  void trapped(TrapEvent event) {
    trap = event;
  }

  @Override
  public ContextInfo info() {
    boolean there = life.state() != ContextState.DETACHED;
    return new ContextInfo(
        name(),
        nic.name(),
        there ? life.number : -1,
        life.handlers.image().name(),
        life.plan.ruleset().text(),
        life.capability.tenant(),
        life.capability.group(),
        life.configured,
        life.state(),
        life.reason(),
        nic.usedSlots(this),
        life.stats());
  }

  @Override
  public long size(MemoryRegion region) {
    return life.region(region).byteSize();
  }

  @Override
  public void read(MemoryRegion region, long offset, byte[] to) {
    MemorySegment memory = within(region, offset, to.length);
    try {
      MemorySegment.copy(memory, offset, MemorySegment.ofArray(to), 0, to.length);
    } catch (IllegalStateException e) {
      throw gone(e);
    }
  }

  @Override
  public void write(MemoryRegion region, long offset, byte[] from) {
    MemorySegment memory = within(region, offset, from.length);
    try {
      MemorySegment.copy(MemorySegment.ofArray(from), 0, memory, offset, from.length);
    } catch (IllegalStateException e) {
      throw gone(e);
    }
  }

  private MemorySegment within(MemoryRegion region, long offset, int length) {
    MemorySegment memory = life.region(region);
    if (offset < 0 || length > memory.byteSize() - offset) {
      throw new SpinException(
          Errno.EINVAL,
          name()
              + ": "
              + length
              + " bytes at "
              + offset
              + " are not within the "
              + memory.byteSize()
              + " of "
              + region.text());
    }
    return memory;
  }

  private SpinException gone(IllegalStateException cause) {
    return life.state() == ContextState.DETACHED
        ? life.closed()
        : new SpinException(Errno.EINTR, name() + " recovers; try again in a moment", cause);
  }

  private void checkOpen() {
    if (life.state() == ContextState.DETACHED) {
      throw life.closed();
    }
  }

  @Override
  public int poll(HostRequestHandler handler, int limit) {
    checkOpen();
    return life.slot.calls().poll(handler, limit);
  }

  @Override
  public void listen(HostRequestHandler handler, Executor executor) {
    checkOpen();
    Objects.requireNonNull(executor, "executor");
    life.slot.calls().listen(handler, executor);
  }

  @Override
  public boolean respond(int hpu, int length) {
    checkOpen();
    if (hpu < 0 || hpu >= SpinStructs.HPUS || length < 0 || length > PAGE - PAYLOAD) {
      throw new SpinException(
          Errno.EINVAL,
          name() + ": HPU " + hpu + " or length " + length + " is not in 0..15 or 0..4032");
    }
    SpinRings rings = life.slot.rings();
    try {
      return rings != null && rings.respond(hpu, length) == 0;
    } catch (IllegalStateException e) {
      return false;
    }
  }

  /** Replaces the handlers; see {@link ExecutionContext#swap}. */
  public void swap(HandlerImage image) {
    HandlerImage with = image.rules().isPresent() ? image : image.withRules(life.plan.ruleset());
    Duration limit =
        Duration.ofMillis(nic.settings().swapMs())
            .plusNanos(ContextSwap.LONGEST_TASK_NS)
            .plus(RECOVERY);
    thread.await(name() + ": swap", limit, over -> nic.swap(this, with, over));
  }

  @Override
  public void swap(HandlerSource handlers) {
    swap(nic.image(handlers));
  }

  @Override
  public TextPart text(long from) {
    return life.slot.text().from(from);
  }

  @Override
  public Optional<TrapEvent> trap() {
    return Optional.ofNullable(trap);
  }

  @Override
  public void close() {
    thread.leave(name() + ": detach", () -> nic.detach(this, ""));
  }
}
