package io.isle.api.driver;

/** Why a context is asked to leave the engine (42.2.3), with the numbers of the driver ABI. */
public final class PreemptReason {
  /** Work of higher priority waits. */
  public static final int PRIORITY_INVERSION = 0;

  /** It has used up its share, or what its group may have at most. */
  public static final int FAIRNESS_TIMEOUT = 1;

  /** Its submission on the engine has run for longer than the context's limit. */
  public static final int EXECUTION_TIMEOUT = 2;

  /** An administrator takes it off the device. */
  public static final int ADMIN_EVICT = 3;

  private PreemptReason() {}
}
