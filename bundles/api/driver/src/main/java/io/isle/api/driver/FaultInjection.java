package io.isle.api.driver;

/** Extension: planned faults, there only when the device's settings allow them. Control lane. */
public interface FaultInjection {
  /** Faults, with the numbers of the driver ABI: 1 to 13 in this order. */
  enum Fault {
    /** Completions come {@code value} nanoseconds late. */
    LATENCY,
    CONTEXT_ERROR,
    PARTIAL_ERROR,
    HANG,
    SEGV,
    ABORT,
    EXIT,
    LOST_COMPLETION,
    /** A memory error that the device corrects: only counted. */
    ECC_CORRECTABLE,
    /** A page that the submission names becomes unreadable, see {@link PageRetirement}. */
    ECC_UNCORRECTABLE,
    /** Clocks are held down for {@code value} nanoseconds. */
    THROTTLE,
    /** The link sends {@code value} packets again, at least one: only counted. */
    PCIE_REPLAY,
    /**
     * The screen of connector {@code value} is pulled out, or plugged in, {@code count} times, at
     * once: {@code after} is 0. EINVAL without a display; ENOENT for an unknown connector.
     */
    HOTPLUG
  }

  /** After {@code after} further submissions, the next {@code count} meet the fault. */
  void inject(Fault fault, long after, long count, long value);
}
