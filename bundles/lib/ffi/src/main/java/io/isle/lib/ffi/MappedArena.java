package io.isle.lib.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.LockSupport;

/**
 * Memory of this process that the owner maps, and unmaps by {@link #close}. In contrast to other
 * arenas, this memory does not count against the JVM's limit of direct memory, which NIO and all
 * foreign calls share. The memory is initially zero; pages are allocated at their first use. An
 * arena is also a lifetime for mappings of {@link MemoryFile#map}. Thread-safe.
 */
public final class MappedArena implements Arena {
  private static final long PAGE = 4096;
  private static final int PROT_READ_WRITE = 3;
  private static final int MAP_PRIVATE_ANONYMOUS = 0x22;
  private static final long CLOSE_NS = 1_000_000_000;
  private static final long RETRY_NS = 1_000_000;

  private final Arena lifetime = Arena.ofShared();

  /**
   * Maps whole pages.
   *
   * @param byteSize 0 or more
   * @param byteAlignment a power of two
   * @throws PosixException ENOMEM if the machine has too little memory
   */
  @Override
  @SuppressWarnings("restricted")
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    if (byteSize < 0 || Long.bitCount(byteAlignment) != 1 || byteAlignment < 1) {
      throw new IllegalArgumentException(byteSize + " bytes aligned to " + byteAlignment);
    }
    if (byteSize > Long.MAX_VALUE / 2 || byteAlignment > Long.MAX_VALUE / 4) {
      throw new PosixException("mmap of " + byteSize + " bytes", 12, "Cannot allocate memory");
    }
    long size = Math.max(PAGE, (byteSize + PAGE - 1) / PAGE * PAGE);
    long spare = Math.max(0, byteAlignment - PAGE);
    long from = map(size + spare);
    long address = (from + byteAlignment - 1) & -byteAlignment;
    LibC.unmap(from, address - from);
    LibC.unmap(address + size, from + spare - address);
    try {
      return MemorySegment.ofAddress(address)
          .reinterpret(size, lifetime, all -> LibC.unmap(all.address(), all.byteSize()))
          .asSlice(0, byteSize);
    } catch (IllegalStateException closed) {
      LibC.unmap(address, size);
      throw closed;
    }
  }

  private static long map(long size) {
    try (Arena call = Arena.ofConfined()) {
      MemorySegment state = LibC.callState(call);
      long address =
          (long)
              LibC.MMAP.invokeExact(
                  state, 0L, size, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS, -1, 0L);
      if (address == -1) {
        throw LibC.failure("mmap of " + size + " bytes", state);
      }
      return address;
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw LibC.unexpected(e);
    }
  }

  @Override
  public MemorySegment.Scope scope() {
    return lifetime.scope();
  }

  /**
   * As {@link #close}, without waiting.
   *
   * @return false while a system call uses the memory
   */
  public boolean tryClose() {
    try {
      lifetime.close();
      return true;
    } catch (IllegalStateException e) {
      return !lifetime.scope().isAlive();
    }
  }

  /**
   * Unmaps all memory; later accesses throw IllegalStateException. Waits at most a second for
   * system calls that use the memory. Idempotent.
   *
   * @throws IllegalStateException if a system call still uses the memory; everything stays mapped,
   *     and the call may be repeated
   */
  @Override
  public void close() {
    long deadline = System.nanoTime() + CLOSE_NS;
    while (!tryClose()) {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException(
            "the memory stays mapped, because a system call still uses it");
      }
      LockSupport.parkNanos(RETRY_NS);
    }
  }
}
