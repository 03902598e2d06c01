package io.isle.api.driver;

/**
 * Reasons of a request to leave the engine (accelerator framework, 42.2.3), with the numbers of the
 * driver ABI.
 */
public final class PreemptReason {
  /** Work of higher priority waits. */
  public static final int PRIORITY_INVERSION = 0;

  /** The context has used up its share, or the limit of its group. */
  public static final int FAIRNESS_TIMEOUT = 1;

  /** The submission on the engine has exceeded the context's execution limit. */
  public static final int EXECUTION_TIMEOUT = 2;

  /** An administrator removes the context from the device. */
  public static final int ADMIN_EVICT = 3;

  private PreemptReason() {}
}
