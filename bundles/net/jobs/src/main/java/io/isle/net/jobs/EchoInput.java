package io.isle.net.jobs;

import java.io.IOException;
import java.io.InputStream;
import java.util.function.BooleanSupplier;

/**
 * The pieces of a stream, once. While more is wanted, the first ones follow again and again; of an
 * empty stream, empty pieces. One thread.
 */
final class EchoInput {
  /** Memory for the pieces that follow again. */
  private static final int HEAD_BYTES = 1 << 20;

  private final InputStream in;
  private final int size;
  private final BooleanSupplier more;
  private final byte[] head;
  private final byte[] piece;
  private long pieces;
  private long bytes;
  private boolean ended;
  private int at;

  /**
   * @param size bytes of each piece but the last, 1 or more
   * @param more whether further pieces are wanted behind the end of the stream
   */
  EchoInput(InputStream in, int size, BooleanSupplier more) {
    this.in = in;
    this.size = size;
    this.more = more;
    head = new byte[Math.max(1, HEAD_BYTES / size) * size];
    piece = new byte[size];
  }

  /** Number of pieces of the stream itself so far. */
  long pieces() {
    return pieces;
  }

  /** Whether {@link #next} does not read the stream any more. */
  boolean isRepeating() {
    return ended;
  }

  /** The piece of the last {@link #next}. */
  byte[] piece() {
    return piece;
  }

  /**
   * Reads the next piece; waits for a FIFO.
   *
   * @return bytes of the piece; -1 behind the last one
   */
  int next() throws IOException {
    if (!ended) {
      int count = in.readNBytes(piece, 0, size);
      ended = count < size;
      if (count > 0) {
        if (bytes + count <= head.length) {
          System.arraycopy(piece, 0, head, (int) bytes, count);
        }
        bytes += count;
        pieces++;
        return count;
      }
    }
    return more.getAsBoolean() ? again() : -1;
  }

  private int again() {
    int known = (int) Math.min(bytes, head.length);
    if (at >= known) {
      at = 0;
    }
    int count = Math.min(size, known - at);
    System.arraycopy(head, at, piece, 0, count);
    at += count;
    return count;
  }
}
