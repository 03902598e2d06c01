package io.isle.api.accel;

import java.lang.foreign.MemorySegment;
import org.osgi.annotation.versioning.ProviderType;

/** CPU access to a buffer; pins it until closed. One thread at a time. */
@ProviderType
public interface Mapping extends AutoCloseable {
  /** The bytes; throws IllegalStateException once the mapping is closed or the device is lost. */
  MemorySegment segment();

  /** Makes CPU writes visible to the device. */
  void flush(long offset, long length);

  /** Makes device writes visible to the CPU. */
  void invalidate(long offset, long length);

  @Override
  void close();
}
