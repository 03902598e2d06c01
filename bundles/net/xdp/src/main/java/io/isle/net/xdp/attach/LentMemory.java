package io.isle.net.xdp.attach;

import io.isle.lib.ffi.MemoryFile;
import io.isle.lib.ffi.Sockets;
import io.isle.net.xdp.host.wire.TileFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory that this process writes and others only read, by the kernel's word: a file in memory of
 * mode 0400 and a sealed size, passed on as a second opening for reading alone. A process of the
 * same user could change the mode, so apps have another user. Thread-safe but for {@link #close}.
 */
public final class LentMemory implements AutoCloseable {
  private static final int OWNER_READS = 0400;

  private final MemoryFile file;
  private final int readOnly;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory;
  private boolean closed;

  private LentMemory(MemoryFile file, int readOnly) {
    this.file = file;
    this.readOnly = readOnly;
    this.memory = file.map(arena);
  }

  /**
   * Makes memory of zeros.
   *
   * @param name for /proc
   * @param bytes 1 or more
   * @throws io.isle.lib.ffi.PosixException if the kernel refuses
   */
  public static LentMemory create(String name, long bytes) {
    MemoryFile file = MemoryFile.create(name, bytes);
    int readOnly = -1;
    boolean done = false;
    try {
      file.seal(false);
      file.mode(OWNER_READS);
      readOnly = file.reopenReadOnly();
      LentMemory made = new LentMemory(file, readOnly);
      done = true;
      return made;
    } finally {
      if (!done) {
        if (readOnly >= 0) {
          new Sockets().close(readOnly);
        }
        file.close();
      }
    }
  }

  /** The memory, for reading and writing, until {@link #close}. */
  public MemorySegment memory() {
    return memory;
  }

  /** What apps get. */
  public Attachment.Lent lent() {
    return new Attachment.Lent(readOnly, file.size());
  }

  /** The memory for a tile in a process, which writes. */
  public TileFile file() {
    return new TileFile(memory, file.descriptor(), TileFile.Access.WRITE);
  }

  /** Descriptor for reading and writing, valid until {@link #close}. */
  public int descriptor() {
    return file.descriptor();
  }

  /** Unmaps the memory, which nobody here may use any more. Idempotent. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    arena.close();
    new Sockets().close(readOnly);
    file.close();
  }
}
