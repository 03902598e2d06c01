package io.isle.api.driver;

import io.isle.api.base.MonotonicClock;
import java.lang.foreign.MemorySegment;
import org.osgi.annotation.versioning.ProviderType;

/** What the core does for one open device. Thread-safe. */
@ProviderType
public interface DriverServices {
  CompletionSink completions();

  MonotonicClock clock();

  /**
   * Zeroed memory for the context that tenants can be given; freed with the context at the latest.
   *
   * @param alignment a power of two, at most 1 GiB
   * @throws DriverException ENOMEM, EINVAL
   */
  MemorySegment allocShared(long context, long size, long alignment);

  void freeShared(MemorySegment memory);

  /**
   * Tells that the work of a submission has begun on the engine; its execution limit counts from
   * here. Optional, wait-free; a driver that never calls it is bounded by its progress alone.
   *
   * @param tag of the submission
   * @param ns CLOCK_MONOTONIC
   */
  void started(long tag, long ns);

  /** Writes a line to the platform's log under the device's name. */
  void log(System.Logger.Level level, String text);

  /** Tells the core that the device can do no more work, and why. */
  void lost(String why);
}
