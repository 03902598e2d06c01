package io.isle.lib.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Maps ranges of files: parts of a memory file, rings of a socket. Static methods, any thread. */
public final class Mapping {
  private static final int PROT_READ = 1;
  private static final int PROT_READ_WRITE = 3;
  private static final int MAP_SHARED = 1;
  private static final int MAP_NORESERVE = 0x4000;
  private static final int MAP_POPULATE = 0x8000;

  private Mapping() {}

  /**
   * Maps a range for reading.
   *
   * @param offset in the file, a multiple of 4096; a socket gives its own numbers a meaning
   * @param size bytes, 1 or more
   * @param arena its close unmaps the range
   * @throws PosixException if the kernel refuses
   */
  public static MemorySegment readOnly(int descriptor, long offset, long size, Arena arena) {
    return map(descriptor, offset, size, PROT_READ, MAP_SHARED | MAP_NORESERVE, arena).asReadOnly();
  }

  /** As {@link #readOnly}, for reading and writing. */
  public static MemorySegment writable(int descriptor, long offset, long size, Arena arena) {
    return map(descriptor, offset, size, PROT_READ_WRITE, MAP_SHARED | MAP_NORESERVE, arena);
  }

  /** As {@link #writable}, with all pages present at the return: no access faults later. */
  public static MemorySegment populated(int descriptor, long offset, long size, Arena arena) {
    return map(descriptor, offset, size, PROT_READ_WRITE, MAP_SHARED | MAP_POPULATE, arena);
  }

  @SuppressWarnings("restricted")
  private static MemorySegment map(
      int descriptor, long offset, long size, int rights, int flags, Arena arena) {
    try (Arena call = Arena.ofConfined()) {
      MemorySegment state = LibC.callState(call);
      long address =
          (long) LibC.MMAP.invokeExact(state, 0L, size, rights, flags, descriptor, offset);
      if (address == -1) {
        throw LibC.failure("mmap of " + size + " bytes at " + offset, state);
      }
      return MemorySegment.ofAddress(address)
          .reinterpret(size, arena, all -> LibC.unmap(all.address(), all.byteSize()));
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }
}
