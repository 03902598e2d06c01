package io.isle.apps.chaos.work;

/** How a tenant works. */
public enum TenantProfile {
  /** Everything as it is by default. */
  PLAIN(false, false),
  /** Work that has not started outlives a crash. */
  KEEPING(true, false),
  /** Inputs are retained, and submissions may start again. */
  RETAINING(false, true);

  final boolean keepPending;
  final boolean retained;

  TenantProfile(boolean keepPending, boolean retained) {
    this.keepPending = keepPending;
    this.retained = retained;
  }
}
