package io.isle.api.accel;

import io.isle.api.tenancy.Capability;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Locations of device memory, for subsystems that act on memory other than by submissions.
 * Thread-safe.
 */
@ProviderType
public interface MemoryPins {
  /**
   * Pins memory at its current location. During a recovery, memory can be pinned from the phase
   * {@code rebuild} on.
   *
   * @throws AccelException EINVAL if the object is not memory of this node; EINTR while its device
   *     recovers; ENODEV after the loss of the device; ECLOSED after the close of its last buffer
   */
  Pin pin(MemoryObject memory);

  /**
   * As {@link #pin(MemoryObject)}, for a tenant. The caller checks the permission for its own
   * operation.
   *
   * @throws AccelException also EACCES for a buffer of another tenant; ECLOSED for a closed buffer
   * @throws io.isle.api.tenancy.TenancyException EACCES if this node did not issue the capability,
   *     or the capability is not valid for the device; EREVOKED
   */
  Pin pin(Capability capability, Buffer buffer);

  /** The memory with this core id, if any; the memory may have no buffer left. */
  Optional<MemoryObject> find(long memory);

  /**
   * Memory of one opening of a device. Pinned memory is not freed, and counts against its tenant's
   * limits: the memory is freed after the close of the last buffer and the last pin. A pin ends
   * when the device, or the process of the group, is taken from its driver, or when the context is
   * closed or lost. Every method except {@link #close} and {@link #alive} then throws {@link
   * AccelException} with ESTALE, and with ECLOSED after the close of the pin. Thread-safe.
   *
   * <p>A pin may end between a read of its properties and their use. A call of the driver by memory
   * id is safe: ids are never reused, and the driver refuses an old id.
   */
  interface Pin extends AutoCloseable {
    /** Id of the device. */
    String device();

    /** The group of the process with the memory; empty for the device's own process. */
    Optional<String> group();

    /** The epoch of the device's opening. */
    int epoch();

    /** Core id, which the driver uses for the memory. */
    long memory();

    /** Size in bytes. */
    long size();

    /**
     * The memory for the CPU, if accessible. After the end of the pin, an access fails or reads
     * memory that no driver uses any longer.
     */
    Optional<MemorySegment> cpu();

    /** Whether the pin has neither ended nor been closed. Never blocks. */
    boolean alive();

    /**
     * Frees the memory if no other holder remains. The call may block for a control call, so it
     * must not be made inside a call of a session. Errors of the driver are logged. Idempotent.
     */
    @Override
    void close();
  }
}
