package io.isle.api.accel;

import org.osgi.annotation.versioning.ProviderType;

/** A context's access right to a memory object. Thread-safe. */
@ProviderType
public interface Buffer extends AutoCloseable {
  /** Flag: pages of this memory stay in device memory; only a forced migration moves them. */
  int PINNED = 0x100;

  /**
   * Flag: coherent memory, in which CPU and device see each other's writes without a flush of
   * caches. {@link Mapping#flush} and {@link Mapping#invalidate} are required all the same, because
   * of recoveries.
   */
  int COHERENT = 0x400;

  /**
   * Flag: the core keeps a copy of the contents written through mappings (updated by each flush)
   * and restores this copy after a recovery. Submissions may only read retained memory.
   */
  int RETAINED = 0x10000;

  /** Access: read. */
  int READ = 1;

  /** Access: write. */
  int WRITE = 2;

  /**
   * Bit beside an access in {@link CommandWriter#use}: nothing is copied to the device. On a device
   * with copies of memory, the work finds the device's copy as earlier work left it, zeros at
   * first. Other devices ignore this bit.
   */
  int NO_COPY_IN = 8;

  /**
   * Bit beside an access in {@link CommandWriter#use}: nothing is copied back from the device. On a
   * device with copies of memory, the CPU does not see what the work writes. Other devices ignore
   * this bit.
   */
  int NO_COPY_BACK = 16;

  /** Core id of kind MEMORY. */
  long id();

  /** The requested size in bytes. */
  long size();

  /** The memory object of this buffer. */
  MemoryObject memory();

  /**
   * Maps the memory for the CPU.
   *
   * @throws AccelException EINTR while the device recovers; ENODEV after the loss of the device;
   *     ENOTSUP if the CPU cannot access the memory
   */
  Mapping map();

  /**
   * Closes the buffer; the last close frees the memory. Idempotent.
   *
   * @throws AccelException EBUSY while a submission uses the buffer or the buffer is mapped
   */
  @Override
  void close();
}
