package io.isle.api.tenancy;

/**
 * Names of the counters that the accelerators keep of a group: those of the accelerator framework,
 * 44.2, and what tells whether its promises and limits act.
 */
public final class GroupCounters {
  /** Microseconds of whole devices: time on half of a device's compute units counts half. */
  public static final String COMPUTE_TIME_US = "compute_time_us";

  /** Bytes of device memory now. */
  public static final String MEMORY_CURRENT = "memory_current";

  /** Most bytes of device memory at a time. */
  public static final String MEMORY_PEAK = "memory_peak";

  public static final String SUBMISSIONS = "submissions";

  /**
   * How often work was asked to leave the device: for a higher priority, for others' shares, or
   * because its own budget or {@code compute.max} was used up.
   */
  public static final String PREEMPTIONS = "preemptions";

  /** Page faults of devices. */
  public static final String FAULTS = "faults";

  /** Pages that moved between devices and the host. */
  public static final String MIGRATIONS = "migrations";

  /** How often a submission ran beyond its execution limit on a device that cannot stop it. */
  public static final String OVERRUNS = "overruns";

  /** How long {@code compute.max} held work back; microseconds, contexts and devices summed. */
  public static final String THROTTLED_US = "throttled_us";

  private GroupCounters() {}
}
