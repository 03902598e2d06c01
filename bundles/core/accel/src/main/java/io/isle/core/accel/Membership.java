package io.isle.core.accel;

import io.isle.api.accel.ContextSpec;
import io.isle.api.device.Priority;
import io.isle.api.tenancy.Capability;
import io.isle.core.accel.group.Bandwidth;
import java.util.Optional;

/**
 * A context's place in its group, from before it is opened until it is over: what it was admitted
 * with. Thread-safe.
 */
final class Membership {
  private final GroupMembers members;
  private final String device;
  private final Capability capability;
  private final ContextSpec spec;
  private final Priority priority;
  private final Optional<Bandwidth> guarantee;

  /** Null until it is made. Written under the members' lock. */
  private volatile ExecutionContext context;

  /** Whether its device is lost for good, so that it needs nothing any more. */
  private volatile boolean lost;

  /** Whether its group is ended. Guarded by the members. */
  private boolean evicted;

  /**
   * @param priority in force
   * @param guarantee of its own
   */
  Membership(
      GroupMembers members,
      String device,
      Capability capability,
      ContextSpec spec,
      Priority priority,
      Optional<Bandwidth> guarantee) {
    this.members = members;
    this.device = device;
    this.capability = capability;
    this.spec = spec;
    this.priority = priority;
    this.guarantee = guarantee;
  }

  String group() {
    return capability.group();
  }

  String device() {
    return device;
  }

  Capability capability() {
    return capability;
  }

  ContextSpec spec() {
    return spec;
  }

  Priority priority() {
    return priority;
  }

  Optional<Bandwidth> guarantee() {
    return guarantee;
  }

  GroupMembers members() {
    return members;
  }

  /** Whether it needs what it was admitted with. */
  boolean lives() {
    return !lost;
  }

  /** Its context is there; false when its group was ended meanwhile. */
  boolean enter(ExecutionContext made) {
    synchronized (members) {
      context = made;
      members.accounts().open(made);
      return !evicted;
    }
  }

  /** Its group is ended; empty while its context is not there yet. */
  Optional<ExecutionContext> evict() {
    synchronized (members) {
      evicted = true;
      return Optional.ofNullable(context);
    }
  }

  /** It will not run any more: its guarantee is free. */
  void lose() {
    lost = true;
  }

  /** It is over. Idempotent. */
  void leave() {
    lost = true;
    members.leave(this, context);
  }
}
