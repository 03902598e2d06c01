package io.isle.apps.jobs.data;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32;

/** The chunks of a PNG file, one after the other; each checksum must fit. One thread. */
final class PngChunks {
  private static final int PIECE = 1 << 16;

  private final ByteSource file;
  private final CRC32 crc = new CRC32();
  private final ByteBuffer piece = ByteBuffer.allocate(PIECE);
  private long taken;
  private int type;

  /** Bytes of the chunk at hand that were not read yet. */
  private long left;

  PngChunks(ByteSource file) {
    this.file = file;
  }

  /** Reads what every file begins with. */
  void magic() throws IOException {
    ByteBuffer start = ByteBuffer.wrap(Png.magic());
    if (fill(start.remaining()) < start.remaining() || !piece.flip().equals(start)) {
      throw new FormatException("is not a PNG image");
    }
  }

  /** Begins a chunk; returns its type. */
  int next() throws IOException {
    need(8);
    left = piece.getInt(0) & 0xffff_ffffL;
    if (left > Integer.MAX_VALUE) {
      throw new FormatException(
          "a chunk has " + left + " bytes; the limit is " + Integer.MAX_VALUE);
    }
    type = piece.getInt(4);
    crc.reset();
    crc.update(piece.array(), 4, 4);
    return type;
  }

  /** Type of the chunk at hand. */
  int type() {
    return type;
  }

  long left() {
    return left;
  }

  /** Takes bytes of the chunk at hand, into {@link #bytes}; returns how many. */
  int take() throws IOException {
    int count = (int) Math.min(PIECE, left);
    need(count);
    crc.update(piece.array(), 0, count);
    left -= count;
    return count;
  }

  /**
   * Takes the whole of the chunk at hand, and ends it.
   *
   * @throws FormatException when it has more than {@code most} bytes
   */
  byte[] whole(String name, int most) throws IOException {
    if (left > most) {
      throw new FormatException(name + " has " + left + " bytes; the limit is " + most);
    }
    byte[] data = Arrays.copyOf(bytes(), take());
    end();
    return data;
  }

  /** What was taken last. */
  byte[] bytes() {
    return piece.array();
  }

  /** Ends the chunk at hand, all of which was taken. */
  void end() throws IOException {
    need(Integer.BYTES);
    if (piece.getInt(0) != (int) crc.getValue()) {
      throw new FormatException("the image is damaged: a checksum is wrong");
    }
  }

  /** Reads over the rest of the chunk at hand. */
  void skip() throws IOException {
    boolean critical = (type >>> 24 & 0x20) == 0;
    if (critical && type != Png.IDAT && type != Png.IEND && type != Png.PLTE) {
      throw new FormatException(
          String.format("the image needs a chunk of an unknown type: 0x%08x", type));
    }
    while (left > 0) {
      int ignored = take();
    }
    end();
  }

  /** Reads to the end of the file: what follows the image is no part of it. */
  void drain() throws IOException {
    int count = PIECE;
    while (count == PIECE) {
      count = fill(PIECE);
    }
  }

  private void need(int bytes) throws IOException {
    if (fill(bytes) < bytes) {
      throw new FormatException("the file ends before the end of the image");
    }
  }

  private int fill(int bytes) throws IOException {
    int count = file.fill(piece.clear().limit(bytes));
    taken += count;
    if (taken > Png.MAX_FILE) {
      throw new FormatException(
          "is longer than " + Png.MAX_FILE + " bytes, the limit of an image file");
    }
    return count;
  }
}
