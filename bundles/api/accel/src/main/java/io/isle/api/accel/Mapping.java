package io.isle.api.accel;

import java.lang.foreign.MemorySegment;
import org.osgi.annotation.versioning.ProviderType;

/**
 * CPU access to a buffer. An open mapping keeps the buffer. One thread at a time.
 *
 * <p>A mapping survives a recovery of the device, but the memory moves. During the recovery, every
 * method except {@link #close} throws AccelException with EINTR. An old segment stays readable
 * until the driver's memory is unmapped, then throws IllegalStateException; an old segment never
 * becomes device memory again.
 */
@ProviderType
public interface Mapping extends AutoCloseable {
  /**
   * The bytes at their current address: call this method again after each recovery.
   *
   * @throws AccelException EINTR, once, if contents were lost since the last call; ENOTSUP if the
   *     CPU can no longer access the memory
   * @throws IllegalStateException after the close of the mapping or the loss of the device
   */
  MemorySegment segment();

  /**
   * Makes CPU writes visible to the device. Lost contents of the range become valid, and the core
   * updates the copy of retained memory.
   *
   * @param offset in bytes
   * @param length in bytes
   * @throws AccelException EINTR if the memory moved, or pages of the memory were replaced, since
   *     the writes: write again through {@link #segment}
   */
  void flush(long offset, long length);

  /**
   * Makes device writes visible to the CPU. Call this method before reading results.
   *
   * @param offset in bytes
   * @param length in bytes
   * @throws AccelException ENODATA if contents of the range were lost in a recovery; EINTR during
   *     the replacement of bad pages of the memory: try again after {@code Context.awaitUsable}
   */
  void invalidate(long offset, long length);

  @Override
  void close();
}
