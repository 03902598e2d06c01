package io.isle.inference.engine.decide;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** What one group does with the models of a slot. Any thread. */
public final class GroupUse {
  /** Invalid outputs in a row that end the use of a model by a group. */
  static final int INVALID_IN_A_ROW = 16;

  private final String group;
  private final AtomicInteger invalid = new AtomicInteger();
  private final AtomicLong shutOut = new AtomicLong();
  private volatile Gate gate;

  GroupUse(String group, Gate gate) {
    this.group = group;
    this.gate = gate;
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

  /** Counts an invalid output; the last of many in a row shuts the gate. */
  void invalidOutput() {
    if (invalid.incrementAndGet() >= INVALID_IN_A_ROW) {
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
