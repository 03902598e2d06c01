package io.isle.faces.shell.ring.drive;

import io.isle.lib.drive.Replies;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;
import java.util.Optional;
import java.util.UUID;

/**
 * Replies in the order of their packets, in a temporary file beside the wanted one, which is
 * replaced by {@link #commit}. Used by one thread at a time.
 */
public final class ReplyFile implements Replies, AutoCloseable {
  private static final int BATCH = 1 << 20;

  private final Path file;
  private final Path part;
  private final long noReply;
  private final int payloadBytes;
  private final FileChannel channel;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory;
  private final ByteBuffer buffer;

  private boolean kept;

  /** Where the begin of the buffer belongs in the file. */
  private long at;

  private ReplyFile(Path file, Path part, long noReply, int payloadBytes) throws IOException {
    this.file = file;
    this.part = part;
    this.noReply = noReply;
    this.payloadBytes = payloadBytes;
    channel =
        FileChannel.open(
            part, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
    memory = arena.allocate(Math.max(BATCH, payloadBytes));
    buffer = memory.asByteBuffer();
  }

  /**
   * Opens the temporary file.
   *
   * @param noReply number of packets without a requested reply, the first ones
   * @throws IOException if the file cannot be made, or {@code file} is not a regular file
   */
  public static ReplyFile open(Path file, long noReply, int payloadBytes) throws IOException {
    Path target = Files.exists(file) ? file.toRealPath() : file;
    if (target.getFileName() == null
        || Files.exists(target) && !Files.isRegularFile(target)
        || Files.isSymbolicLink(target)) {
      throw new IOException(file + " is not a regular file");
    }
    Path part = target.resolveSibling(target.getFileName() + "." + UUID.randomUUID() + ".part");
    return new ReplyFile(target, part, noReply, payloadBytes);
  }

  @Override
  public void reply(long index, MemorySegment packet, long offset) throws IOException {
    long place = (index - noReply) * payloadBytes;
    if (place != at + buffer.position() || payloadBytes > buffer.remaining()) {
      flush();
      at = place;
    }
    MemorySegment.copy(packet, offset, memory, buffer.position(), payloadBytes);
    int ignored = buffer.position(buffer.position() + payloadBytes).position();
  }

  private void flush() throws IOException {
    ByteBuffer full = buffer.flip();
    while (full.hasRemaining()) {
      at += channel.write(full, at);
    }
    buffer.clear();
  }

  /**
   * Closes up the places of lost replies and gives the file its name.
   *
   * @param lost packets without a reply; bits are indices behind those without a requested reply
   * @param bytes of all replies without padding
   * @return bytes of the file
   */
  public long commit(BitSet lost, long bytes) throws IOException {
    flush();
    long end = lost.isEmpty() ? bytes : closeUp(lost, bytes);
    FileChannel whole = channel.truncate(end);
    whole.close();
    Path ignored =
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    return end;
  }

  private long closeUp(BitSet lost, long bytes) throws IOException {
    long end = 0;
    int from = lost.nextClearBit(0);
    while ((long) from * payloadBytes < bytes) {
      int to = lost.nextSetBit(from);
      long until = to < 0 ? bytes : Math.min(bytes, (long) to * payloadBytes);
      end = move((long) from * payloadBytes, until, end);
      if (to < 0) {
        return end;
      }
      from = lost.nextClearBit(to);
    }
    return end;
  }

  /** Moves bytes to an earlier place; returns the place behind them. */
  private long move(long from, long until, long to) throws IOException {
    long source = from;
    long place = to;
    while (source < until) {
      buffer.clear().limit((int) Math.min(buffer.capacity(), until - source));
      int count = channel.read(buffer, source);
      if (count < 0) {
        throw new IOException(part + " has become shorter");
      }
      buffer.flip();
      for (int done = 0; done < count; ) {
        done += channel.write(buffer, place + done);
      }
      source += count;
      place += count;
    }
    buffer.clear();
    return place;
  }

  /**
   * Keeps the replies so far in the temporary file: of a drive that did not come to its end.
   *
   * @return the temporary file; empty if there is no reply
   */
  public Optional<Path> keep() throws IOException {
    flush();
    kept = channel.size() > 0;
    return kept ? Optional.of(part) : Optional.empty();
  }

  /** Deletes the temporary file, unless it has its name or is kept. */
  @Override
  public void close() throws IOException {
    arena.close();
    channel.close();
    if (!kept) {
      boolean ignored = Files.deleteIfExists(part);
    }
  }
}
