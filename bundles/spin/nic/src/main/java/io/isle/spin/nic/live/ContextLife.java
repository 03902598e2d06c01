package io.isle.spin.nic.live;

import io.isle.api.base.Errno;
import io.isle.api.spin.ContextSpec;
import io.isle.api.spin.ContextState;
import io.isle.api.spin.ContextStats;
import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.MemoryRegion;
import io.isle.api.spin.Ruleset;
import io.isle.api.spin.RulesetPreset;
import io.isle.api.spin.SpinException;
import io.isle.api.tenancy.Capability;
import io.isle.spin.nic.core.ContextCounters;
import io.isle.spin.nic.core.DropReason;
import io.isle.spin.nic.engine.LiveSlot;
import io.isle.spin.nic.hpus.AttachedHandlers;
import io.isle.spin.nic.plan.ContextPlan;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The parts of a context, and its state. Changes belong to {@link NicThread}; any thread reads.
 *
 * @see LiveContext
 */
final class ContextLife {
  private static final int HEADER = 1;
  private static final int PACKET = 2;
  private static final int TAIL = 4;

  /** What it has, and what it has once all exchanges of its handlers are over. */
  volatile ContextSpec spec;

  volatile ContextSpec wanted;
  final Capability capability;
  final boolean configured;
  final int number;
  volatile ContextPlan plan;
  volatile AttachedHandlers handlers;
  volatile LiveSlot slot;
  volatile ContextCounters counters;
  private volatile Map<MemoryRegion, MemorySegment> regions = Map.of();
  private volatile ContextState state = ContextState.DETACHED;
  private volatile String reason = "";
  private boolean stopped;

  ContextLife(ContextSpec spec, Capability capability, boolean configured, int number) {
    this.spec = spec;
    wanted = spec;
    this.capability = capability;
    this.configured = configured;
    this.number = number;
  }

  /** The plan of handlers that were attached. */
  static ContextPlan plan(
      ContextSpec spec, HandlerImage image, Capability capability, int handlers) {
    Ruleset rules = spec.rules().or(image::rules).orElseGet(RulesetPreset.MATCH::ruleset);
    return new ContextPlan(
        capability.group(),
        rules,
        (handlers & HEADER) != 0,
        (handlers & PACKET) != 0,
        (handlers & TAIL) != 0);
  }

  /** The handlers are attached, or attached again: their memory is here now. */
  void attached(AttachedHandlers now) {
    Map<MemoryRegion, MemorySegment> all = new EnumMap<>(MemoryRegion.class);
    for (MemoryRegion region : MemoryRegion.values()) {
      all.put(region, now.region(region));
    }
    handlers = now;
    regions = all;
    stopped = false;
    state(ContextState.ATTACHED, "");
  }

  /** Whether its HPUs have been seen to take no tasks before. */
  boolean seenStopped() {
    boolean before = stopped;
    stopped = true;
    return before;
  }

  synchronized void state(ContextState now, String why) {
    reason = why;
    state = now;
  }

  /** Whether a recovery begins just now; any thread. */
  synchronized boolean recovers() {
    if (state != ContextState.ATTACHED || !handlers.interrupted()) {
      return false;
    }
    state(ContextState.RECOVERING, "its HPUs come back");
    return true;
  }

  /** Whether it is attached, and no recovery has begun to be noticed. */
  synchronized boolean isAttached() {
    return state == ContextState.ATTACHED;
  }

  ContextState state() {
    return state;
  }

  String reason() {
    return reason;
  }

  /** The bytes of a region. */
  MemorySegment region(MemoryRegion region) {
    if (state == ContextState.DETACHED) {
      throw closed();
    }
    if (state != ContextState.ATTACHED) {
      throw new SpinException(Errno.EINTR, spec.name() + " recovers; try again in a moment");
    }
    return regions.get(region);
  }

  SpinException closed() {
    return new SpinException(
        Errno.ECLOSED, spec.name() + " is detached" + (reason.isEmpty() ? "" : ": " + reason));
  }

  /** All counters. */
  ContextStats stats() {
    ContextCounters core = counters;
    LiveSlot hpus = slot;
    return new ContextStats(
        core.packets(),
        core.bytes(),
        core.messages(),
        core.aborted(),
        core.lost(),
        core.drops(DropReason.LENGTH),
        core.drops(DropReason.SLOTS),
        core.drops(DropReason.RECOVERY),
        core.tasks(),
        core.traps(),
        core.hpuNs(),
        hpus.counter("sends"),
        hpus.counter("sent_bytes"),
        hpus.counter("host_requests"),
        hpus.counter("failed"),
        hpus.counter("text_lost"),
        handlerCounters());
  }

  private List<ContextStats.Counter> handlerCounters() {
    try {
      return state == ContextState.ATTACHED ? handlers.counters() : List.of();
    } catch (IllegalStateException e) {
      return List.of();
    }
  }
}
