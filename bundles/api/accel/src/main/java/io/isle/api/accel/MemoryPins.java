package io.isle.api.accel;

import io.isle.api.tenancy.Capability;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Says where memory lies, for subsystems that act on it beside submissions; offered by the owner of
 * contexts. Thread-safe.
 */
@ProviderType
public interface MemoryPins {
  /**
   * Pins memory where it lies now. During a recovery it can be pinned as soon as it was made anew:
   * from the phase {@code rebuild} on.
   *
   * @throws AccelException EINVAL when it is not memory of this node; EINTR while its device
   *     recovers; ENODEV when that was lost; ECLOSED when its last buffer was closed
   */
  Pin pin(MemoryObject memory);

  /**
   * As {@link #pin(MemoryObject)}, for a tenant. Whoever pins checks what permission its act needs.
   *
   * @throws AccelException also EACCES when the buffer is another tenant's; ECLOSED when it is
   *     closed
   * @throws io.isle.api.tenancy.TenancyException EACCES when the capability was not issued here or
   *     is not one for the device; EREVOKED
   */
  Pin pin(Capability capability, Buffer buffer);

  /** The memory with this core id, if there is one; it may have no buffer any more. */
  Optional<MemoryObject> find(long memory);

  /**
   * Memory of one opening of a device. While it is pinned it is not freed, and counts for its
   * tenant's limits: closing the last buffer frees it when the last pin is closed. The pin ends
   * when the device, or the process of the group, is taken from its driver, or the context is
   * closed or lost. Every method but {@link #close} and {@link #alive} then throws {@link
   * AccelException} with ESTALE; of a pin that was closed, with ECLOSED. Thread-safe.
   *
   * <p>The end can come between a look at the pin and the use of what it said. A call of the driver
   * that names the memory by its id is safe, as ids are never used again: the driver refuses it.
   */
  interface Pin extends AutoCloseable {
    /** Id of the device. */
    String device();

    /** The group in whose process it lies; empty for the device's own. */
    Optional<String> group();

    /** The opening of the device that it lies on. */
    int epoch();

    /** Core id: what the driver knows the memory by. */
    long memory();

    /** Bytes. */
    long size();

    /**
     * The memory as the CPU sees it, if it does; access after the end of the pin fails or finds
     * memory that no driver has any more.
     */
    Optional<MemorySegment> cpu();

    /** Whether it has neither ended nor been closed. Never blocks. */
    boolean alive();

    /**
     * Frees the memory when nothing else holds it: may block for a control call, so not within a
     * call of a session. What the driver says to that is logged. Idempotent.
     */
    @Override
    void close();
  }
}
