package io.isle.core.drivers.groups;

import io.isle.core.drivers.session.DeviceLane;
import io.isle.core.drivers.session.OpenSession;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/** The process of one group, from the moment that it is to be started. Guarded by its owner. */
public final class GroupHost {
  final String group;

  /** Where it is started, and all of its control calls are made. */
  final DeviceLane lane;

  /** Whether its start has begun, or will never. */
  final AtomicBoolean begun = new AtomicBoolean();

  /** Null while it is being started. */
  volatile HostPort port;

  /** As it is lent; null until it is. */
  OpenSession session;

  /** Whether it was the warm standby. */
  boolean warm;

  /** Counts what keeps it from being idle. */
  int uses;

  /** Its last context has gone. */
  boolean emptied;

  /** It is not the group's any more. */
  boolean retired;

  /** Nothing of it is left, or it was not to be had. */
  final CompletableFuture<Void> over = new CompletableFuture<>();

  GroupHost(String group, Function<GroupHost, DeviceLane> lanes) {
    this.group = group;
    this.lane = lanes.apply(this);
  }

  /** Whether it is there and works, as far as is known. Never blocks. */
  public boolean isAlive() {
    HostPort now = port;
    return now != null && now.alive();
  }

  public String group() {
    return group;
  }

  /** Whether it was the warm standby. */
  public boolean isWarm() {
    return warm;
  }
}
