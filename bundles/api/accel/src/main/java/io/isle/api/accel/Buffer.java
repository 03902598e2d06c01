package io.isle.api.accel;

import org.osgi.annotation.versioning.ProviderType;

/** A context's right to a memory object. Thread-safe. */
@ProviderType
public interface Buffer extends AutoCloseable {
  int PINNED = 0x100;
  int COHERENT = 0x400;

  /**
   * The core keeps a copy of what is written through mappings (at each flush) and restores it after
   * a recovery. Submissions may only read it.
   */
  int RETAINED = 0x10000;

  int READ = 1;
  int WRITE = 2;

  /** Core id of kind MEMORY. */
  long id();

  /** Bytes asked for. */
  long size();

  MemoryObject memory();

  /**
   * Maps it for the CPU.
   *
   * @throws AccelException EINTR while the device recovers; ENODEV after it was lost; ENOTSUP when
   *     the CPU cannot see it
   */
  Mapping map();

  /** Frees it. EBUSY (AccelException) while a submission uses it or it is mapped. Idempotent. */
  @Override
  void close();
}
