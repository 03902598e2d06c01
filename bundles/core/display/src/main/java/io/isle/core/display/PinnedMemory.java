package io.isle.core.display;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.MemoryObject;
import io.isle.api.accel.MemoryPins;
import io.isle.api.base.Errno;
import io.isle.api.tenancy.Capability;
import io.isle.core.display.state.Frame;
import java.util.Optional;

/**
 * The memory that framebuffers are made of, while its owner is there. Core ids are the owner's:
 * those of another one mean other memory. Thread-safe.
 */
final class PinnedMemory {
  /**
   * Who owns memory now.
   *
   * @param number of the service, which no other one ever has
   */
  private record Owner(MemoryPins pins, long number) {}

  private volatile Owner owner;

  /** The owner came. */
  synchronized void bind(MemoryPins pins, long number) {
    owner = new Owner(pins, number);
  }

  /** The owner goes; another may be there already. */
  synchronized void unbind(MemoryPins pins) {
    if (owner != null && owner.pins() == pins) {
      owner = null;
    }
  }

  /**
   * Memory of a tenant, which is not freed before this is closed. Not to be closed within a call of
   * a session, as that may make another.
   *
   * @param issuer who issued the id {@code memory}, see {@link Frame#issuer}
   */
  record Held(
      MemoryPins.Pin pin,
      long issuer,
      String device,
      Optional<String> group,
      int epoch,
      long memory,
      long size)
      implements AutoCloseable {
    @Override
    public void close() {
      pin.close();
    }
  }

  /**
   * @throws AccelException as {@link MemoryPins#pin(Capability, Buffer)}; EINTR while there is no
   *     owner, or when the device is taken away meanwhile
   */
  Held pin(Capability capability, Buffer buffer) {
    Owner now = owner();
    MemoryPins.Pin pin = now.pins().pin(capability, buffer);
    boolean held = false;
    try {
      Held all =
          new Held(
              pin, now.number(), pin.device(), pin.group(), pin.epoch(), pin.memory(), pin.size());
      held = true;
      return all;
    } catch (AccelException e) {
      throw new AccelException(
          Errno.EINTR,
          "buffer: the device of the memory recovers; try again: " + e.getMessage(),
          e);
    } finally {
      if (!held) {
        pin.close();
      }
    }
  }

  /**
   * The memory of a framebuffer, pinned.
   *
   * @throws AccelException as {@link MemoryPins#pin(MemoryObject)}; ESTALE when it is gone; EINTR
   *     while there is no owner
   */
  MemoryPins.Pin pin(Frame frame) {
    Owner now = owner();
    return now.pins().pin(find(now, frame).orElseThrow(PinnedMemory::gone));
  }

  /**
   * Checks that the memory of a framebuffer is there.
   *
   * @throws AccelException ESTALE; EINTR while there is no owner
   */
  void check(Frame frame) {
    MemoryObject ignored = find(owner(), frame).orElseThrow(PinnedMemory::gone);
  }

  /** Whether the memory of a framebuffer is known to be gone. */
  boolean isGone(Frame frame) {
    Owner now = owner;
    return now != null && find(now, frame).isEmpty();
  }

  /** Whether the memory of a framebuffer is there now. */
  boolean has(Frame frame) {
    Owner now = owner;
    return now != null && find(now, frame).isPresent();
  }

  private static Optional<MemoryObject> find(Owner now, Frame frame) {
    return frame.issuer() == now.number()
        ? now.pins().find(frame.memory()).filter(memory -> memory.references() > 0)
        : Optional.empty();
  }

  static AccelException gone() {
    return new AccelException(Errno.ESTALE, "the memory of the framebuffer is closed or lost");
  }

  private Owner owner() {
    Owner now = owner;
    if (now == null) {
      throw new AccelException(
          Errno.EINTR, "the memory service restarts; try again with newly allocated memory");
    }
    return now;
  }
}
