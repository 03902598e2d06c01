package io.isle.apps.jobs.data;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** Writes a PNG image row by row; the same pixels give the same bytes. One thread. */
public final class PngWriter {
  private static final int PIECE = 1 << 16;

  /** By the number of channels: grey, grey and alpha, RGB, RGBA. */
  private static final byte[] COLOUR_TYPES = {0, 4, 2, 6};

  private final OutputStream out;
  private final byte[] piece = new byte[PIECE];
  private int used;

  private PngWriter(OutputStream out) {
    this.out = out;
  }

  /** Writes an array that {@link Png#refusal} takes. */
  public static void write(List<Long> shape, MemorySegment from, OutputStream out)
      throws IOException {
    int height = Math.toIntExact(shape.get(0));
    int width = Math.toIntExact(shape.get(1));
    int channels = Math.toIntExact(shape.get(2));
    byte colours = COLOUR_TYPES[channels - 1];
    PngWriter writer = new PngWriter(out);
    out.write(Png.magic());
    byte[] fields = new byte[13];
    ByteBuffer.wrap(fields).putInt(width).putInt(height).put((byte) 8).put(colours);
    writer.chunk(Png.IHDR, fields, fields.length);
    writer.image(height, width * channels, channels, from);
    writer.chunk(Png.IEND, fields, 0);
  }

  /** Each row is predicted by Paeth's filter. */
  private void image(int height, int bytes, int pixel, MemorySegment from) throws IOException {
    byte[] above = new byte[bytes];
    byte[] row = new byte[bytes];
    byte[] filtered = new byte[1 + bytes];
    filtered[0] = Png.PAETH;
    Deflater deflater = new Deflater();
    try {
      for (int y = 0; y < height; y++) {
        MemorySegment.copy(from, ValueLayout.JAVA_BYTE, (long) y * bytes, row, 0, bytes);
        for (int i = 0; i < bytes; i++) {
          int left = i < pixel ? 0 : row[i - pixel] & 0xff;
          int corner = i < pixel ? 0 : above[i - pixel] & 0xff;
          filtered[1 + i] = (byte) (row[i] - Png.paeth(left, above[i] & 0xff, corner));
        }
        deflater.setInput(filtered);
        pack(deflater);
        byte[] last = above;
        above = row;
        row = last;
      }
      deflater.finish();
      pack(deflater);
    } finally {
      deflater.end();
    }
    if (used > 0) {
      chunk(Png.IDAT, piece, used);
    }
  }

  /** Takes what the deflater has; a chunk each time that a piece is full. */
  private void pack(Deflater deflater) throws IOException {
    for (int count = -1; count != 0; used += count) {
      if (used == PIECE) {
        chunk(Png.IDAT, piece, used);
        used = 0;
      }
      count = deflater.deflate(piece, used, PIECE - used);
    }
  }

  private void chunk(int type, byte[] data, int length) throws IOException {
    ByteBuffer head = ByteBuffer.allocate(8).putInt(length).putInt(type);
    CRC32 crc = new CRC32();
    crc.update(head.array(), 4, 4);
    crc.update(data, 0, length);
    out.write(head.array());
    out.write(data, 0, length);
    out.write(ByteBuffer.allocate(4).putInt((int) crc.getValue()).array());
  }
}
