package io.isle.spin.nic.engine;

import io.isle.api.base.MonotonicClock;
import io.isle.api.net.FrameSource;
import io.isle.api.spin.Rulesets;
import io.isle.spin.nic.core.AbortReason;
import io.isle.spin.nic.core.NicCore;
import io.isle.spin.nic.core.NicOutput;
import io.isle.spin.nic.core.NicTask;
import io.isle.spin.nic.plan.ContextPlan;
import io.isle.spin.nic.plan.NicLimits;
import java.lang.foreign.MemorySegment;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * The work of a network interface: frames between its ports, the state machine, and the HPUs of its
 * contexts. One thread at a time; cycles allocate nothing.
 */
public final class NicEngine implements NicOutput {
  private static final int BATCH = 64;
  private static final long TIDY_NS = 1_000_000;

  private final NicLimits limits = NicLimits.FPSPIN;
  private final MonotonicClock clock;
  private final NicCore core;
  private final NicPort port = new NicPort();
  private final NicPort host = new NicPort();
  private final EventRing events = new EventRing();
  private final FrameSource.Handler fromPort = this::arrived;
  private final FrameSource.Handler fromHost = this::sentByHost;
  private final LiveSlot[] slots = new LiveSlot[Rulesets.SLOTS];
  private int first;
  private long nowNs;
  private long tidyNs;

  public NicEngine(MonotonicClock clock, int parallel, long messageTimeoutNs) {
    this.clock = clock;
    core = new NicCore(limits, parallel, messageTimeoutNs, this);
    nowNs = clock.nanoTime();
    tidyNs = nowNs;
  }

  public NicLimits limits() {
    return limits;
  }

  public NicCore core() {
    return core;
  }

  public NicPort port() {
    return port;
  }

  public NicPort host() {
    return host;
  }

  public EventRing events() {
    return events;
  }

  /** The time, which never goes back. */
  public long tick() {
    return nowNs = clock.nanoTime();
  }

  /** A context at work; nothing runs on it yet. */
  public LiveSlot slot(SlotPlan plan) {
    return new LiveSlot(plan, this, core);
  }

  /**
   * Puts a context into a slot.
   *
   * @throws io.isle.api.spin.SpinException as {@link NicCore#attach}
   */
  public void attach(int slot, ContextPlan plan, LiveSlot context) {
    core.attach(slot, plan);
    slots[slot] = context;
  }

  public void detach(int slot) {
    core.detach(slot, tick());
    slots[slot] = null;
  }

  /** A context has no HPUs for now. */
  public void freeze(int slot) {
    core.freeze(slot, tick());
    slots[slot].use(null);
  }

  /** Takes the last text before the HPUs of a context go. */
  public void drain(int slot) {
    slots[slot].drain();
  }

  /** Whether a slot is free. */
  public boolean isFree(int slot) {
    return slots[slot] == null;
  }

  /** Whether a context is still in its slot. */
  public boolean has(int number, LiveSlot context) {
    return slots[number] == context;
  }

  public String contextName(int slot) {
    return slots[slot].name();
  }

  public OptionalInt freeSlot() {
    return IntStream.range(0, slots.length).filter(this::isFree).findFirst();
  }

  /**
   * Does all that can be done now.
   *
   * @return amount of work
   */
  int cycle() {
    int work = 0;
    tick();
    // in turn: frames of the first have the room of the port before those of the others
    first = (first + 1) % slots.length;
    for (int i = 0; i < slots.length; i++) {
      LiveSlot slot = slots[(first + i) % slots.length];
      if (slot != null) {
        work += slot.poll();
      }
    }
    work += core.dispatch(tick());
    int frames = port.poll(fromPort, BATCH, nowNs) + host.poll(fromHost, BATCH, nowNs);
    if (frames > 0) {
      work += frames + core.dispatch(tick());
    }
    if (nowNs - tidyNs >= TIDY_NS) {
      tidyNs = nowNs;
      work += core.expire(nowNs);
      for (LiveSlot slot : slots) {
        if (slot != null) {
          slot.tidy(nowNs);
        }
      }
    }
    port.flush();
    host.flush();
    return work;
  }

  /** Whether a handler runs whose end nobody tells. */
  boolean runs() {
    return core.running() > 0;
  }

  /** Whether a handler waits for the host. */
  boolean waits() {
    for (LiveSlot slot : slots) {
      if (slot != null && slot.waits()) {
        return true;
      }
    }
    return false;
  }

  /** Whether a port has frames that no descriptor tells of. */
  boolean hasBlindPort() {
    return port.isOpen() && port.descriptor() < 0 || host.isOpen() && host.descriptor() < 0;
  }

  /** Time of the newest step. */
  long nowNs() {
    return nowNs;
  }

  /** Whether there is something whose time may pass. */
  boolean hasTimers() {
    for (int slot = 0; slot < slots.length; slot++) {
      if (core.view().isBusy(slot)) {
        return true;
      }
    }
    return false;
  }

  private void arrived(MemorySegment memory, long offset, int length, long signature) {
    if (core.arrive(memory, offset, length, nowNs) == NicCore.UNMATCHED && host.isOpen()) {
      host.offer(memory, offset, length);
    }
  }

  private void sentByHost(MemorySegment memory, long offset, int length, long signature) {
    port.offer(memory, offset, length);
  }

  @Override
  public void store(int context, int slot, MemorySegment memory, long offset, int length) {
    slots[context].store(limits.offset(slot), memory, offset, length);
  }

  @Override
  public void dispatch(NicTask task) {
    slots[task.context()].post(task, limits.offset(task.slot()));
  }

  @Override
  public void aborted(int context, int message, AbortReason reason) {
    events.abort(slots[context], nowNs, message, reason);
  }
}
