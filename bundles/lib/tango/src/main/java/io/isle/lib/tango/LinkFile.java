package io.isle.lib.tango;

import io.isle.lib.tango.TangoLayout.DcacheHead;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A link in a plain file that processes map: mcache, dcache, then fseqs; chunks count from the
 * begin of the file. Another program may shorten the file at any time; an access beyond its end
 * throws InternalError. So this memory is for accesses of Java alone: a system call on it would end
 * the process.
 */
public final class LinkFile implements AutoCloseable {
  /** Most bytes of a file: chunks cannot name more, with the head of the link before them. */
  static final long MOST_BYTES = Dcache.MOST_BYTES + (1L << 30);

  private final Path path;
  private final FileChannel channel;
  private final Arena arena;
  private final MemorySegment memory;
  private final LinkPlaces places;
  private final Mcache mcache;
  private final Dcache dcache;
  private final long dcacheOffset;
  private final LinkFseqs fseqs;

  private LinkFile(Path path, FileChannel channel, Arena arena, boolean write, LinkPlaces places)
      throws IOException {
    this.path = path;
    this.channel = channel;
    this.arena = arena;
    this.places = places;
    long size = channel.size();
    if (size > MOST_BYTES) {
      throw new IllegalArgumentException(
          "a link has at most " + MOST_BYTES + " bytes, and the file has " + size);
    }
    memory =
        channel.map(
            write ? FileChannel.MapMode.READ_WRITE : FileChannel.MapMode.READ_ONLY, 0, size, arena);
    mcache = Mcache.open(from("the mcache", places.mcache()));
    long mcacheBytes = Mcache.footprint(mcache.depth(), mcache.app().byteSize());
    dcacheOffset = places.dcacheBehind(mcacheBytes);
    dcache = Dcache.open(from("the dcache", dcacheOffset));
    long dcacheBytes = Dcache.footprint(dcache.dataBytes(), dcache.app().byteSize());
    fseqs = new LinkFseqs(memory, places.fseqsBehind(dcacheOffset + dcacheBytes), places);
    LinkPlaces.apart("mcache", places.mcache(), mcacheBytes, "dcache", dcacheOffset, dcacheBytes);
    if (chunkStart() < 0) {
      throw new IllegalArgumentException(
          "base of chunks "
              + places.chunkBase()
              + " lies behind the data of the dcache, at "
              + (dcacheOffset + DcacheHead.HEAD_BYTES));
    }
  }

  /**
   * Makes a file with a new link.
   *
   * @throws IllegalArgumentException for parts that overlap, or that chunks cannot reach
   * @throws IOException if the file exists, or the disk is too small
   */
  public static void create(Path path, LinkPlan plan, LinkPlaces places) throws IOException {
    NewLinkFile.create(path, plan, places);
  }

  /**
   * Opens the link in a file of any origin, which is checked.
   *
   * @param write also for a producer, and for a consumer with an fseq
   * @throws IOException for a file that cannot be opened, or without a link, with the reason
   */
  public static LinkFile open(Path path, boolean write, LinkPlaces places) throws IOException {
    // an open of a pipe or a device could wait for ever
    if (!Files.exists(path)) {
      throw new IOException(path + " does not exist");
    }
    if (!Files.isRegularFile(path)) {
      throw new IOException(path + " is not a regular file");
    }
    Set<StandardOpenOption> options =
        write
            ? EnumSet.of(StandardOpenOption.READ, StandardOpenOption.WRITE)
            : EnumSet.of(StandardOpenOption.READ);
    FileChannel channel = FileChannel.open(path, options);
    Arena arena = Arena.ofShared();
    try {
      return new LinkFile(path, channel, arena, write, places);
    } catch (IllegalArgumentException e) {
      arena.close();
      channel.close();
      throw new IOException(path + ": " + e.getMessage(), e);
    } catch (IOException | RuntimeException | Error e) {
      arena.close();
      channel.close();
      throw e;
    }
  }

  private MemorySegment from(String what, long offset) {
    if (offset >= memory.byteSize()) {
      throw new IllegalArgumentException(
          what + " is expected at " + offset + ", and the file ends at " + memory.byteSize());
    }
    return memory.asSlice(offset);
  }

  /** Bytes of the file, when it was opened. */
  public long bytes() {
    return memory.byteSize();
  }

  /** The fragments' metadata. */
  public Mcache mcache() {
    return mcache;
  }

  /** The payloads' memory. */
  public Dcache dcache() {
    return dcache;
  }

  /** Offset of the dcache in the file. */
  public long dcacheOffset() {
    return dcacheOffset;
  }

  /** Offset of the first fseq in the file. */
  public long fseqOffset() {
    return fseqs.offset();
  }

  private long chunkStart() {
    return dcacheOffset + DcacheHead.HEAD_BYTES - places.chunkBase();
  }

  /** The largest mtu that the data region has room for at this depth; 0 for none. */
  public int largestMtu() {
    return Chunks.largestMtu(dcache.dataBytes(), mcache.depth());
  }

  /**
   * Places of payloads in the data region.
   *
   * @param mtu most bytes of a payload
   * @throws IllegalArgumentException if the region is too small for a payload
   */
  public Chunks chunks(int mtu) {
    return Chunks.of(memory.asSlice(places.chunkBase()), chunkStart(), dcache.dataBytes(), mtu);
  }

  /**
   * All fseqs: in a file with the usual places those up to the end of the file, else those that
   * follow each other at the given place.
   *
   * @throws IllegalArgumentException for one that is none, with its number and offset
   */
  public List<Fseq> fseqs() {
    return fseqs.all();
  }

  /**
   * An fseq.
   *
   * @throws IllegalArgumentException if the file has none of this number, with the reason
   */
  public Fseq fseq(int index) {
    return fseqs.one(index);
  }

  /**
   * Makes this the only producer of the link among those that ask; ends with {@link #close}.
   *
   * @throws IOException if another one produces
   */
  public void lockProducer() throws IOException {
    lock(places.mcache(), "another program publishes on this link");
  }

  /**
   * Makes this the only consumer with an fseq among those that ask; ends with {@link #close}.
   *
   * @throws IOException if another one uses it
   */
  public void lockConsumer(int index) throws IOException {
    lock(fseqs.offset(index), "another program consumes with fseq " + index + " of this link");
  }

  /**
   * A lock of the first byte of a part: other programs that know nothing of it are not kept off.
   */
  private void lock(long offset, String held) throws IOException {
    FileLock lock;
    try {
      lock = channel.tryLock(offset, 1, false);
    } catch (OverlappingFileLockException e) {
      throw new IOException(path + ": " + held, e);
    }
    if (lock == null) {
      throw new IOException(path + ": " + held);
    }
  }

  /**
   * Checks that the file has not become shorter.
   *
   * @throws IOException naming both sizes
   */
  public void requireWhole() throws IOException {
    long now = channel.size();
    if (now < memory.byteSize()) {
      throw new IOException(
          path + " was truncated from " + memory.byteSize() + " to " + now + " bytes");
    }
  }

  /** The path that was opened. */
  public Path path() {
    return path;
  }

  /** Unmaps the memory, and gives locks back. Nobody else may use the link meanwhile. */
  @Override
  public void close() throws IOException {
    arena.close();
    channel.close();
  }
}
