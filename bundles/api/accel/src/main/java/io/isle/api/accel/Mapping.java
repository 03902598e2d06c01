package io.isle.api.accel;

import java.lang.foreign.MemorySegment;
import org.osgi.annotation.versioning.ProviderType;

/**
 * CPU access to a buffer; pins it until closed. One thread at a time.
 *
 * <p>It outlives a recovery of the device, but the memory moves. While the device recovers, every
 * method but {@link #close} throws AccelException with EINTR. A segment got before stays readable
 * until the driver's memory is unmapped, and then throws IllegalStateException; it is never the
 * device's memory again.
 */
@ProviderType
public interface Mapping extends AutoCloseable {
  /**
   * The bytes, where they lie now: ask again after each recovery.
   *
   * @throws AccelException EINTR, once, when the contents were lost since the last call; ENOTSUP
   *     when the CPU cannot see the memory any more
   * @throws IllegalStateException once the mapping is closed or the device is lost
   */
  MemorySegment segment();

  /**
   * Makes CPU writes visible to the device; lost contents of the range count as there again, and
   * the core's copy of retained memory is brought up to date.
   *
   * @throws AccelException EINTR when the memory moved, or pages of it were replaced, since the
   *     bytes were written: write them again through {@link #segment}
   */
  void flush(long offset, long length);

  /**
   * Makes device writes visible to the CPU. Call it before each reading of results.
   *
   * @throws AccelException ENODATA when contents of the range were lost in a recovery; EINTR while
   *     bad pages of the memory are replaced: ask again after {@code Context.awaitUsable}
   */
  void invalidate(long offset, long length);

  @Override
  void close();
}
