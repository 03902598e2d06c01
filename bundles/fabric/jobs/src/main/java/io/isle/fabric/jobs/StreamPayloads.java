package io.isle.fabric.jobs;

import io.isle.lib.drive.Payloads;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.BooleanSupplier;

/**
 * The payloads of a stream, once; the last one is padded with zeros. While more is wanted, the
 * first ones go round again and again; of an empty stream, a payload of zeros. Used by one thread;
 * {@link #bytes} by any.
 */
final class StreamPayloads implements Payloads, AutoCloseable {
  /** Memory for the payloads that go round again. */
  private static final int HEAD_BYTES = 1 << 20;

  private final InputStream in;
  private final int payloadBytes;
  private final BooleanSupplier more;
  private final byte[] buffer;
  private final Arena arena = Arena.ofShared();

  /** The payloads that go round again, then one that is read. */
  private final MemorySegment memory;

  private final int heads;
  private long index = -1;
  private boolean ended;
  private long read;
  private long offset;
  private volatile long bytes = Long.MAX_VALUE;

  /**
   * @param payloadBytes bytes of each payload, 1 or more
   * @param more whether further payloads are wanted behind the end of the stream
   */
  StreamPayloads(InputStream in, int payloadBytes, BooleanSupplier more) {
    this.in = in;
    this.payloadBytes = payloadBytes;
    this.more = more;
    buffer = new byte[payloadBytes];
    heads = Math.max(1, HEAD_BYTES / payloadBytes);
    memory = arena.allocate((long) (heads + 1) * payloadBytes, Long.BYTES);
  }

  /** Bytes of the stream; {@link Long#MAX_VALUE} until its last payload has been read. */
  long bytes() {
    return bytes;
  }

  @Override
  public long count() {
    return Long.MAX_VALUE;
  }

  @Override
  public boolean next() throws IOException {
    index++;
    if (!ended && read()) {
      return true;
    }
    if (!more.getAsBoolean()) {
      return false;
    }
    long known = Math.max(1, Math.min(heads, Math.ceilDiv(bytes, (long) payloadBytes)));
    offset = index % known * payloadBytes;
    return true;
  }

  /** Returns false at the end of the stream. */
  private boolean read() throws IOException {
    int count = in.readNBytes(buffer, 0, payloadBytes);
    read += count;
    if (count < payloadBytes) {
      bytes = read;
      ended = true;
    }
    if (count == 0) {
      return false;
    }
    offset = Math.min(index, heads) * payloadBytes;
    MemorySegment.copy(buffer, 0, memory, ValueLayout.JAVA_BYTE, offset, count);
    memory.asSlice(offset + count, payloadBytes - count).fill((byte) 0);
    return true;
  }

  @Override
  public MemorySegment memory() {
    return memory;
  }

  @Override
  public long offset() {
    return offset;
  }

  /** No drive may use the memory any more. */
  @Override
  public void close() {
    arena.close();
  }
}
