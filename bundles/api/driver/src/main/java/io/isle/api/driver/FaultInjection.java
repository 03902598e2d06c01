package io.isle.api.driver;

/** Extension: planned faults, present only if the device's settings allow faults. Control lane. */
public interface FaultInjection {
  /** Faults, with the numbers of the driver ABI: 1 to 13 in this order. */
  enum Fault {
    /** Completions are late by {@code value} nanoseconds. */
    LATENCY,
    /** The submission fails with -EIO, and its context is unusable until a reset. */
    CONTEXT_ERROR,
    /** The submission ends with PARTIAL_ERROR. */
    PARTIAL_ERROR,
    /** The submission stays on the engine until a reset. */
    HANG,
    /** The driver crashes by SIGSEGV. */
    SEGV,
    /** The driver calls abort. */
    ABORT,
    /** The driver's process exits. */
    EXIT,
    /** The submission is done without a completion. */
    LOST_COMPLETION,
    /** A correctable memory error: only counted. */
    ECC_CORRECTABLE,
    /** A page of the submission's memory becomes unreadable, see {@link PageRetirement}. */
    ECC_UNCORRECTABLE,
    /** The clock is lowered for {@code value} nanoseconds. */
    THROTTLE,
    /** The link repeats {@code value} packets, at least one: only counted. */
    PCIE_REPLAY,
    /**
     * The screen of connector {@code value} is unplugged or plugged in, {@code count} times, at
     * once; {@code after} must be 0. EINVAL without a display; ENOENT for an unknown connector.
     */
    HOTPLUG
  }

  /**
   * Plans a fault: after {@code after} further submissions, the fault affects the next {@code
   * count} submissions.
   */
  void inject(Fault fault, long after, long count, long value);
}
