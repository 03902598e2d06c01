package io.isle.core.accel.agent;

import io.isle.api.device.Priority;
import io.isle.api.tenancy.Capability;
import io.isle.core.accel.queue.ContextQueue;
import io.isle.core.accel.queue.QueueRecord;

/** A context whose tenant is simulated; what has not started of every other one is kept. */
final class SimulatedRecord extends QueueRecord {
  SimulatedRecord(int index, ContextQueue queue) {
    super(index, queue);
  }

  @Override
  protected String name() {
    return "c" + index();
  }

  @Override
  public String who() {
    return name();
  }

  @Override
  protected String lostWhy() {
    return "it was not";
  }

  @Override
  public Capability capability() {
    throw new AssertionError("nothing is checked here");
  }

  @Override
  public Priority priority() {
    return Priority.NORMAL;
  }

  @Override
  public boolean keepsPending() {
    return index() % 2 == 1;
  }
}
