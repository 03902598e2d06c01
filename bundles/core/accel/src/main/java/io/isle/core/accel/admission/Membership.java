package io.isle.core.accel.admission;

import io.isle.api.accel.ContextSpec;
import io.isle.api.device.Priority;
import io.isle.api.tenancy.Capability;
import io.isle.core.accel.group.Bandwidth;
import java.util.Optional;

/**
 * The membership of a context in its group, from before it is opened until it is over: what it was
 * admitted with. Thread-safe.
 */
public final class Membership {
  private final String device;
  private final Capability capability;
  private final ContextSpec spec;
  private final Priority priority;
  private final Optional<Bandwidth> guarantee;

  /** Whether its device is lost for good, so that it needs nothing any more. */
  private volatile boolean lost;

  /** Null until its context is there. Guarded by the {@link GroupMembers}. */
  Member member;

  /** Whether its group is ended. Guarded by the {@link GroupMembers}. */
  boolean evicted;

  /**
   * @param priority in force
   * @param guarantee of its own
   */
  public Membership(
      String device,
      Capability capability,
      ContextSpec spec,
      Priority priority,
      Optional<Bandwidth> guarantee) {
    this.device = device;
    this.capability = capability;
    this.spec = spec;
    this.priority = priority;
    this.guarantee = guarantee;
  }

  public String group() {
    return capability.group();
  }

  String device() {
    return device;
  }

  public Capability capability() {
    return capability;
  }

  public ContextSpec spec() {
    return spec;
  }

  public Priority priority() {
    return priority;
  }

  public Optional<Bandwidth> guarantee() {
    return guarantee;
  }

  /** Whether it needs what it was admitted with. */
  boolean lives() {
    return !lost;
  }

  /** It will not run any more: its guarantee is free. */
  public void lose() {
    lost = true;
  }
}
