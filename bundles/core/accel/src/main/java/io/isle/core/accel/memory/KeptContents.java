package io.isle.core.accel.memory;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.lib.ffi.MappedArena;
import io.isle.lib.ffi.PosixException;
import java.lang.foreign.MemorySegment;

/**
 * Room for contents of device memory that the core keeps. Mapped: a tenant's copies must not use up
 * what the whole platform has for its calls.
 */
record KeptContents(MappedArena arena, MemorySegment bytes) implements AutoCloseable {
  /**
   * Zeros.
   *
   * @throws AccelException ENOMEM when the machine has not so much
   */
  static KeptContents of(long size) {
    MappedArena arena = new MappedArena();
    try {
      return new KeptContents(arena, arena.allocate(size));
    } catch (PosixException e) {
      arena.close();
      throw new AccelException(
          Errno.ENOMEM,
          "bytes: the platform has no memory for a copy of " + size + " bytes: " + e.getMessage(),
          e);
    }
  }

  @Override
  public void close() {
    arena.close();
  }
}
