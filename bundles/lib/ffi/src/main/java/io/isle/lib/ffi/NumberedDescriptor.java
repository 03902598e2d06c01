package io.isle.lib.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Descriptors whose numbers are agreed with others. Static methods, any thread. */
public final class NumberedDescriptor {
  private static final int CLOEXEC = 0x80000;

  private NumberedDescriptor() {}

  /**
   * Gives a descriptor another number; what had that number is closed.
   *
   * @throws PosixException if the kernel refuses; {@code from} is closed in any case
   */
  public static void move(int from, int to) {
    try {
      copy(from, to);
    } finally {
      Descriptors.close(from);
    }
  }

  /**
   * As {@link #move}, and {@code from} stays open.
   *
   * @throws PosixException if the kernel refuses
   */
  public static void copy(int from, int to) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = LibC.callState(arena);
      if ((int) LibC.DUP3.invokeExact(state, from, to, CLOEXEC) < 0) {
        throw LibC.failure("dup3 " + from + " to " + to, state);
      }
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  /** A connected unix socket that this process has inherited; closed with the object. */
  public static UnixConnection connection(int descriptor) {
    return new UnixConnection(descriptor);
  }
}
