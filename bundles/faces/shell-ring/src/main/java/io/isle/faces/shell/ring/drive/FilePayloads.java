package io.isle.faces.shell.ring.drive;

import io.isle.lib.drive.Payloads;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The payloads of a file, on end; the last one is padded with zeros. Of a regular file, what is
 * appended later is not read. A FIFO or a device is read to its end, and each payload is given as
 * soon as it is there. Used by one thread, but may be closed by another once that one has ended.
 */
public final class FilePayloads implements Payloads, AutoCloseable {
  private static final int BATCH = 1 << 20;

  private final Path file;
  private final int payloadBytes;

  /** Null before the first payload of a FIFO. */
  private FileChannel channel;

  /** Bytes of a regular file; -1 for other files. */
  private final long size;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory;
  private final ByteBuffer buffer;
  private long read;
  private boolean ended;

  /** Bytes in memory: those of whole payloads, and all. */
  private int whole;

  private int have;
  private long offset;

  private FilePayloads(Path file, int payloadBytes, FileChannel channel, long size) {
    this.file = file;
    this.payloadBytes = payloadBytes;
    this.channel = channel;
    this.size = size;
    memory = arena.allocate((long) Math.max(1, BATCH / payloadBytes) * payloadBytes);
    buffer = memory.asByteBuffer();
    offset = -payloadBytes;
  }

  /**
   * Opens a file; a FIFO is opened by the first {@link #next}, which waits for its writer.
   *
   * @param payloadBytes bytes of each payload, 1 or more
   * @throws IOException if the file is missing, not readable or a directory
   */
  public static FilePayloads open(Path file, int payloadBytes) throws IOException {
    if (Files.isDirectory(file)) {
      throw new IOException(file + " is a directory; name a file");
    }
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      return new FilePayloads(file, payloadBytes, null, -1);
    }
    try {
      FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
      return new FilePayloads(file, payloadBytes, channel, channel.size());
    } catch (NoSuchFileException e) {
      throw new IOException(file + " does not exist", e);
    }
  }

  @Override
  public long count() {
    return size < 0 ? Long.MAX_VALUE : Math.ceilDiv(size, (long) payloadBytes);
  }

  /** Bytes of a regular file; of other files, those that were read so far. */
  public long size() {
    return size < 0 ? read : size;
  }

  @Override
  public boolean next() throws IOException, InterruptedException {
    offset += payloadBytes;
    if (offset < whole) {
      return true;
    }
    if (ended || read == size) {
      return false;
    }
    if (channel == null) {
      channel = Opening.open(file);
    }
    fill();
    return whole > 0;
  }

  /** One payload or more, behind the begin of a payload that is here already. */
  private void fill() throws IOException {
    int rest = have - whole;
    MemorySegment.copy(memory, whole, memory, 0, rest);
    int most = buffer.capacity();
    int limit = size < 0 ? most : (int) Math.min(most, rest + size - read);
    buffer.clear().limit(limit).position(rest);
    while (!ended && buffer.position() < Math.min(limit, payloadBytes)) {
      ended = channel.read(buffer) < 0;
    }
    have = buffer.position();
    read += have - rest;
    if (ended && size >= 0) {
      throw new EOFException(file + " has become shorter: " + read + " of " + size + " bytes");
    }
    whole = have / payloadBytes * payloadBytes;
    if ((ended || read == size) && have > whole) {
      whole += payloadBytes;
      memory.asSlice(have, whole - have).fill((byte) 0);
      have = whole;
    }
    offset = 0;
  }

  @Override
  public MemorySegment memory() {
    return memory;
  }

  @Override
  public long offset() {
    return offset;
  }

  @Override
  public void close() throws IOException {
    arena.close();
    if (channel != null) {
      channel.close();
    }
  }
}
