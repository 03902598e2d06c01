package io.isle.api.driver;

import io.isle.api.base.MonotonicClock;
import java.lang.foreign.MemorySegment;
import org.osgi.annotation.versioning.ProviderType;

/** Services of the core for one open device. Thread-safe. */
@ProviderType
public interface DriverServices {
  /** The receiver of completions. */
  CompletionSink completions();

  /** The platform's clock. */
  MonotonicClock clock();

  /**
   * Allocates zeroed memory of a context, which tenants can map; freed with the context at the
   * latest.
   *
   * @param context core id of the owner
   * @param size in bytes
   * @param alignment in bytes, a power of two, at most 1 GiB
   * @throws DriverException ENOMEM, EINVAL
   */
  MemorySegment allocShared(long context, long size, long alignment);

  /** Frees memory of {@link #allocShared}. */
  void freeShared(MemorySegment memory);

  /**
   * Reports the begin of a submission's work on the engine; the execution limit counts from this
   * time. Optional, wait-free; the core judges a driver without such reports only by its progress.
   *
   * @param tag tag of the submission
   * @param ns begin, CLOCK_MONOTONIC
   */
  void started(long tag, long ns);

  /** Writes a line to the platform's log under the device's name. */
  void log(System.Logger.Level level, String text);

  /**
   * Reports that the device can do no more work.
   *
   * @param why reason, for messages
   */
  void lost(String why);
}
