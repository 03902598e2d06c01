package io.isle.core.drivers;

import java.util.concurrent.CompletableFuture;

/** The process of one group, from the moment that it is to be started. Guarded by its owner. */
final class GroupHost {
  final String group;

  /** Null while it is being started. */
  HostPort port;

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

  GroupHost(String group) {
    this.group = group;
  }
}
