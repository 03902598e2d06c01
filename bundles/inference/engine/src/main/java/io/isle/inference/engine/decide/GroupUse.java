package io.isle.inference.engine.decide;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** What one group does with the models of a slot. Any thread. */
public final class GroupUse {
  private final String group;
  private final AtomicInteger invalid = new AtomicInteger();
  private final AtomicLong shutOut = new AtomicLong();
  private volatile Gate gate;
  private volatile int mostInvalid;

  GroupUse(String group, Gate gate, CallLimits limits) {
    this.group = group;
    this.gate = gate;
    limits(limits);
  }

  /** Name of the group. */
  public String group() {
    return group;
  }

  Gate gate() {
    return gate;
  }

  void guardBy(Gate other) {
    gate = other;
  }

  /** Other limits, also for a row that has begun. */
  final void limits(CallLimits changed) {
    mostInvalid = changed.invalidInARow();
  }

  /** Counts an invalid output; the last of many in a row shuts the gate. */
  void invalidOutput() {
    if (invalid.incrementAndGet() >= mostInvalid) {
      invalid.set(0);
      gate.invalid();
    }
  }

  void validOutput() {
    if (invalid.get() != 0) {
      invalid.set(0);
    }
  }

  /** Counts a decision of the rule because of a fallback. */
  void shutOut() {
    long ignored = shutOut.incrementAndGet();
  }

  /** Such decisions since the last call. */
  public long takeShutOut() {
    return shutOut.getAndSet(0);
  }
}
