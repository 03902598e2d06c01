package io.isle.net.xdp.socket;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.lib.ffi.MappedArena;
import io.isle.lib.ffi.MemoryFile;
import java.lang.foreign.MemorySegment;

/**
 * The memory of frames that the kernel fills and sends: a memory file of fixed size and of mode
 * 0400, so that tiles map the file for writing by its descriptor, and apps map a reopening for
 * reading alone. Sockets keep the memory until their end. Not thread-safe.
 */
public final class Umem implements AutoCloseable {
  /** Bytes of a frame. */
  public static final int FRAME_BYTES = 2048;

  /** Most frames: 2 GiB. */
  public static final int MOST = 1 << 20;

  private static final int OWNER_READS = 0400;

  private final MemoryFile file;
  private final MappedArena lifetime = new MappedArena();
  private final MemorySegment memory;

  private Umem(MemoryFile file) {
    this.file = file;
    memory = file.map(lifetime);
  }

  /**
   * Makes frames of zeros.
   *
   * @param name for /proc, for example of the net
   * @param frames an even number, 2 to {@link #MOST}
   * @throws NetException EINVAL
   * @throws io.isle.lib.ffi.PosixException ENOMEM, EMFILE
   */
  public static Umem create(String name, int frames) {
    if (frames < 2 || frames > MOST || frames % 2 != 0) {
      throw new NetException(
          Errno.EINVAL, "frames: " + frames + " is no even number within 2 to " + MOST);
    }
    MemoryFile file = MemoryFile.create(name, (long) frames * FRAME_BYTES);
    try {
      file.mode(OWNER_READS);
      file.seal(false);
      return new Umem(file);
    } catch (RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /** All frames, for reading and writing. */
  public MemorySegment memory() {
    return memory;
  }

  /** Number of frames; frame n begins at n times {@link #FRAME_BYTES}. */
  public int frames() {
    return (int) (file.size() / FRAME_BYTES);
  }

  /** Descriptor with which a tile maps the frames for writing, valid until {@link #close}. */
  public int descriptor() {
    return file.descriptor();
  }

  /** A further descriptor, with which nobody can map the frames for writing; the caller's. */
  public int reopenReadOnly() {
    return file.reopenReadOnly();
  }

  /** Unmaps the frames; sockets and other mappings keep theirs. Idempotent. */
  @Override
  public void close() {
    lifetime.close();
    file.close();
  }
}
