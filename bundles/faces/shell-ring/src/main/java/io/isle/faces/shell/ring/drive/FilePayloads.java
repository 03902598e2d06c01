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
 * The payloads of a file, on end; the last one is padded with zeros. What is appended to the file
 * later is not read. Used by one thread, but may be closed by another once that one has ended.
 */
public final class FilePayloads implements Payloads, AutoCloseable {
  private static final int BATCH = 1 << 20;

  private final Path file;
  private final int payloadBytes;
  private final FileChannel channel;
  private final long size;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory;
  private final ByteBuffer buffer;
  private long read;
  private long offset;

  private FilePayloads(Path file, int payloadBytes, FileChannel channel, long size) {
    this.file = file;
    this.payloadBytes = payloadBytes;
    this.channel = channel;
    this.size = size;
    memory = arena.allocate((long) Math.max(1, BATCH / payloadBytes) * payloadBytes);
    buffer = memory.asByteBuffer().limit(0);
    offset = -payloadBytes;
  }

  /**
   * Opens a file.
   *
   * @param payloadBytes bytes of each payload, 1 or more
   * @throws IOException if the file is missing, not readable or not a regular file
   */
  public static FilePayloads open(Path file, int payloadBytes) throws IOException {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new IOException(file + " is not a regular file");
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
    return Math.ceilDiv(size, (long) payloadBytes);
  }

  /** Bytes of the file. */
  public long size() {
    return size;
  }

  @Override
  public boolean next() throws IOException {
    offset += payloadBytes;
    if (offset < buffer.limit()) {
      return true;
    }
    if (read == size) {
      return false;
    }
    fill();
    return true;
  }

  /** As many payloads as fit, or the rest with zeros behind it. */
  private void fill() throws IOException {
    int wanted = (int) Math.min(memory.byteSize(), size - read);
    buffer.clear().limit(wanted);
    while (buffer.hasRemaining()) {
      if (channel.read(buffer) < 0) {
        throw new EOFException(
            file + " has become shorter: " + (read + buffer.position()) + " of " + size + " bytes");
      }
    }
    read += wanted;
    int whole = Math.ceilDiv(wanted, payloadBytes) * payloadBytes;
    memory.asSlice(wanted, whole - wanted).fill((byte) 0);
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
    channel.close();
  }
}
