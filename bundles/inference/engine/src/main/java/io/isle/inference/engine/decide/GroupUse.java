package io.isle.inference.engine.decide;

import java.util.concurrent.atomic.AtomicInteger;

/** The use of one model by one group. Any thread. */
public final class GroupUse {
  private final String group;
  private final Gate gate = new Gate();
  private final AtomicInteger invalid = new AtomicInteger();

  public GroupUse(String group) {
    this.group = group;
  }

  /** Name of the group. */
  public String group() {
    return group;
  }

  /** Whether this group's calls may use the model. */
  public Gate gate() {
    return gate;
  }

  /** Counts an invalid output; closes the gate at the last of {@code most} in a row. */
  void invalidOutput(int output, int value, int most) {
    if (invalid.incrementAndGet() >= most) {
      invalid.set(0);
      gate.trip(Gate.Trip.INVALID_OUTPUT, output, value);
    }
  }

  void validOutput() {
    if (invalid.get() != 0) {
      invalid.set(0);
    }
  }
}
