package io.isle.net.xdp.attach;

import io.isle.lib.ffi.Mapping;
import io.isle.lib.ffi.MemoryFile;
import io.isle.lib.ffi.Sockets;
import io.isle.lib.tango.Dcache;
import io.isle.lib.tango.Fseq;
import io.isle.lib.tango.Mcache;
import io.isle.net.xdp.host.wire.TileFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The link of a process for frames to send: a file in memory that the process writes and this
 * process only reads, and the progress of tiles, which is the other way round. Thread-safe but for
 * {@link #close}.
 */
public final class AppLink implements AutoCloseable {
  private static final int NOBODY = 0;
  private static final long SEQ0 = 0;

  private final int depth;
  private final int mtu;
  private final long dcache;
  private final MemoryFile file;
  private final int readOnly;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory;
  private final LentMemory progress;

  private AppLink(MemoryFile file, int readOnly, LentMemory progress, int depth, int mtu) {
    this.file = file;
    this.readOnly = readOnly;
    this.progress = progress;
    this.depth = depth;
    this.mtu = mtu;
    this.dcache = dcacheOffset(depth);
    this.memory = Mapping.readOnly(file.descriptor(), 0, file.size(), arena);
  }

  private static long dcacheOffset(int depth) {
    return Mcache.footprint(depth, 0) + Dcache.ALIGN - 1 & -Dcache.ALIGN;
  }

  /**
   * Makes an empty link.
   *
   * @param name for /proc
   * @param tiles 1 to 16
   * @param depth lines, a power of two from 128
   * @param mtu most bytes of a frame, 64 to 65535
   * @throws IllegalArgumentException naming the limit
   * @throws io.isle.lib.ffi.PosixException if the kernel refuses
   */
  public static AppLink create(String name, int tiles, int depth, int mtu) {
    long data = Dcache.dataBytes(mtu, depth, 1);
    MemoryFile file = MemoryFile.create(name, dcacheOffset(depth) + Dcache.footprint(data, 0));
    LentMemory progress = null;
    int readOnly = -1;
    boolean done = false;
    try (Arena format = Arena.ofConfined()) {
      file.seal(false);
      readOnly = file.reopenReadOnly();
      // the process has its descriptor; nobody opens the file by a path
      file.mode(NOBODY);
      MemorySegment memory = file.map(format);
      Mcache.create(memory, depth, 0, SEQ0);
      Dcache.create(memory.asSlice(dcacheOffset(depth)), data, 0);
      progress = LentMemory.create(name + "-progress", (long) tiles * Fseq.BYTES);
      for (int tile = 0; tile < tiles; tile++) {
        Fseq.create(fseq(progress, tile), SEQ0);
      }
      AppLink made = new AppLink(file, readOnly, progress, depth, mtu);
      done = true;
      return made;
    } finally {
      if (!done) {
        if (progress != null) {
          progress.close();
        }
        if (readOnly >= 0) {
          new Sockets().close(readOnly);
        }
        file.close();
      }
    }
  }

  private static MemorySegment fseq(LentMemory progress, int tile) {
    return progress.memory().asSlice((long) tile * Fseq.BYTES, Fseq.BYTES);
  }

  /** The link as the app left it, read-only: the mcache at 0, and chunks count from the begin. */
  public MemorySegment memory() {
    return memory;
  }

  /** Lines of the mcache. */
  public int depth() {
    return depth;
  }

  /** First sequence number. */
  public long seq0() {
    return SEQ0;
  }

  /** Offset of the first payload in {@link #memory}. */
  public long data() {
    return dcache + Dcache.ALIGN;
  }

  /** Bytes of the data region. */
  public long dataBytes() {
    return Dcache.dataBytes(mtu, depth, 1);
  }

  /** Most bytes of a frame. */
  public int mtu() {
    return mtu;
  }

  /**
   * The fseq of a tile. The word at 32, which is the first of the fseq's application region, is not
   * 0 while the tile may sleep: the app then rings its bell. A tile writes the word, then looks for
   * frames once more, then sleeps, with a full fence between the first two.
   */
  public MemorySegment progress(int tile) {
    return fseq(progress, tile);
  }

  /** What the process gets of the link. */
  public Attachment.Tx lent() {
    return new Attachment.Tx(new Attachment.Lent(file.descriptor(), file.size()), 0, dcache, depth);
  }

  /** What the process gets of the progress of tiles. */
  public Attachment.Lent lentProgress() {
    return progress.lent();
  }

  /** All that a tile in a process needs: it writes the progress alone. */
  public List<TileFile> files() {
    return List.of(new TileFile(memory, readOnly, TileFile.Access.READ), progress.file());
  }

  /** Descriptor for reading and writing, valid until {@link #close}. */
  public int descriptor() {
    return file.descriptor();
  }

  /** Unmaps the memory, which nobody here may use any more. */
  @Override
  public void close() {
    arena.close();
    progress.close();
    new Sockets().close(readOnly);
    file.close();
  }
}
