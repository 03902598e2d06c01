package io.isle.lib.ffi;

import io.isle.api.base.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * An anonymous file in memory (memfd), to map and to pass to another process. {@link #close} closes
 * the descriptor; mappings stay. Not thread-safe.
 */
public final class MemoryFile implements AutoCloseable {
  private static final int MFD_CLOEXEC = 1;
  private static final int MFD_ALLOW_SEALING = 2;
  private static final int F_ADD_SEALS = 1033;
  private static final int F_GET_SEALS = 1034;
  private static final int F_SEAL_SEAL = 1;
  private static final int F_SEAL_SHRINK = 2;
  private static final int F_SEAL_GROW = 4;
  private static final int F_SEAL_FUTURE_WRITE = 16;
  private static final int FIXED = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
  private static final int O_RDONLY_CLOEXEC = 0x80000;
  private static final int SEEK_END = 2;
  private static final int PROT_READ = 1;
  private static final int PROT_READ_WRITE = 3;
  private static final int MAP_SHARED = 1;
  private static final int MAP_NORESERVE = 0x4000;

  private final int descriptor;
  private final long size;
  private boolean closed;

  private MemoryFile(int descriptor, long size) {
    this.descriptor = descriptor;
    this.size = size;
  }

  /**
   * Makes a file of {@code size} zero bytes; pages are allocated at their first use.
   *
   * @throws PosixException if the kernel refuses
   */
  public static MemoryFile create(String name, long size) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = LibC.callState(arena);
      int fd =
          (int)
              LibC.MEMFD_CREATE.invokeExact(
                  state, arena.allocateFrom(name), MFD_CLOEXEC | MFD_ALLOW_SEALING);
      if (fd < 0) {
        throw LibC.failure("memfd_create " + name, state);
      }
      MemoryFile file = new MemoryFile(fd, size);
      if ((int) LibC.FTRUNCATE.invokeExact(state, fd, size) != 0) {
        PosixException failure = LibC.failure("ftruncate " + name + " to " + size, state);
        file.close();
        throw failure;
      }
      return file;
    } catch (RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw LibC.unexpected(e);
    }
  }

  /**
   * Sets the rights of others who open the file by {@link #reopenReadOnly} or by /proc. Descriptors
   * and mappings that exist keep theirs.
   *
   * @param mode such as 0400
   * @throws PosixException if the kernel refuses
   */
  public void mode(int mode) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = LibC.callState(arena);
      if ((int) LibC.FCHMOD.invokeExact(state, descriptor, mode) != 0) {
        throw LibC.failure("fchmod", state);
      }
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  /**
   * Opens the file once more, for reading alone: who receives this descriptor cannot map the file
   * for writing, and can open the file for writing only as far as {@link #mode} permits.
   *
   * @return a descriptor that belongs to the caller
   * @throws PosixException if the kernel refuses
   */
  public int reopenReadOnly() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = LibC.callState(arena);
      MemorySegment path = arena.allocateFrom("/proc/self/fd/" + descriptor);
      int fd = (int) LibC.OPEN.invokeExact(state, path, O_RDONLY_CLOEXEC);
      if (fd < 0) {
        throw LibC.failure("open of a memory file for reading", state);
      }
      return fd;
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  /** The file descriptor, valid until {@link #close}. */
  public int descriptor() {
    return descriptor;
  }

  /** Size in bytes. */
  public long size() {
    return size;
  }

  /** Maps the whole file for reading and writing, until the close of {@code arena}. */
  public MemorySegment map(Arena arena) {
    return map(descriptor, size, true, arena);
  }

  /**
   * Maps the begin of a file for a user with a longer lifetime than the owner's.
   *
   * @param size in bytes, at most the size of the file
   * @param writable whether the mapping is for writing, too
   * @param arena its close unmaps the file
   * @throws PosixException if the kernel refuses
   */
  @SuppressWarnings("restricted")
  public static MemorySegment map(int descriptor, long size, boolean writable, Arena arena) {
    try (Arena call = Arena.ofConfined()) {
      MemorySegment state = LibC.callState(call);
      int rights = writable ? PROT_READ_WRITE : PROT_READ;
      long address =
          (long)
              LibC.MMAP.invokeExact(
                  state, 0L, size, rights, MAP_SHARED | MAP_NORESERVE, descriptor, 0L);
      if (address == -1) {
        throw LibC.failure("mmap of " + size + " bytes", state);
      }
      return MemorySegment.ofAddress(address)
          .reinterpret(size, arena, all -> LibC.unmap(all.address(), all.byteSize()));
    } catch (RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw LibC.unexpected(e);
    }
  }

  /**
   * Fixes the size for ever, so no process can truncate the file under a mapping, and forbids
   * further seals.
   *
   * @param readOnly also forbids writes through new mappings
   */
  public void seal(boolean readOnly) {
    int seals = FIXED | (readOnly ? F_SEAL_FUTURE_WRITE : 0);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = LibC.callState(arena);
      if ((int) LibC.FCNTL.invokeExact(state, descriptor, F_ADD_SEALS, seals) != 0) {
        throw LibC.failure("fcntl F_ADD_SEALS", state);
      }
    } catch (RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw LibC.unexpected(e);
    }
  }

  /**
   * The size of a file of another process, if {@link #seal} has fixed the size: a mapping of the
   * file can then not lose its pages.
   *
   * @return bytes; -EINVAL for a descriptor of something else than a file in memory; -EPERM if the
   *     size or the seals can still change; -EBADF
   */
  public static long fixedSize(int descriptor) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = LibC.callState(arena);
      int seals = (int) LibC.FCNTL.invokeExact(state, descriptor, F_GET_SEALS, 0);
      if (seals < 0) {
        return -LibC.errno(state);
      }
      if ((seals & FIXED) != FIXED) {
        return -Errno.EPERM;
      }
      long size = (long) LibC.LSEEK.invokeExact(state, descriptor, 0L, SEEK_END);
      return size < 0 ? -LibC.errno(state) : size;
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      Descriptors.close(descriptor);
    }
  }
}
