package io.isle.api.tenancy;

/**
 * Names of the group counters of the accelerators: the counters of the accelerator framework, 44.2,
 * and counters of the effect of guarantees and limits.
 */
public final class GroupCounters {
  /** Microseconds of whole devices: time on half of a device's compute units counts half. */
  public static final String COMPUTE_TIME_US = "compute_time_us";

  /** Current device memory in bytes. */
  public static final String MEMORY_CURRENT = "memory_current";

  /** Maximum of device memory in bytes. */
  public static final String MEMORY_PEAK = "memory_peak";

  /** Number of submissions. */
  public static final String SUBMISSIONS = "submissions";

  /**
   * Number of requests to leave the device: for a higher priority, for the shares of others, or
   * because the own budget or {@code compute.max} was used up.
   */
  public static final String PREEMPTIONS = "preemptions";

  /** Number of page faults of devices. */
  public static final String FAULTS = "faults";

  /** Number of pages that moved between devices and the host. */
  public static final String MIGRATIONS = "migrations";

  /**
   * Number of submissions that exceeded their execution limit on a device that cannot stop them.
   */
  public static final String OVERRUNS = "overruns";

  /**
   * Time in which {@code compute.max} held work back, in microseconds, summed over contexts and
   * devices.
   */
  public static final String THROTTLED_US = "throttled_us";

  private GroupCounters() {}
}
