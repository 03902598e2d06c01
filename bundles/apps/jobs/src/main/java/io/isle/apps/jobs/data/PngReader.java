package io.isle.apps.jobs.data;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Reads a PNG image row by row: whatever the file says, two rows and a piece of the file are all
 * the memory that this takes. The sizes are checked before anything is unpacked. One thread.
 */
public final class PngReader implements AutoCloseable {
  /** First row and column of each pass of an interlaced image, and the steps between them. */
  private static final int[][] PASSES = {
    {0, 0, 8, 8}, {0, 4, 8, 8}, {4, 0, 8, 4}, {0, 2, 4, 4}, {2, 0, 4, 2}, {0, 1, 2, 2}, {1, 0, 2, 1}
  };

  private static final int[][] WHOLE = {{0, 0, 1, 1}};

  private static final int FIELDS = 13;

  private final PngChunks chunks;
  private final Inflater inflater = new Inflater();
  private Png.Header header;
  private boolean interlaced;

  public PngReader(ByteSource file) {
    chunks = new PngChunks(file);
  }

  /**
   * Reads what the image is; once, first.
   *
   * @throws FormatException naming the field and the limit
   */
  public Png.Header header() throws IOException {
    chunks.magic();
    if (chunks.next() != Png.IHDR || chunks.left() != FIELDS || chunks.take() != FIELDS) {
      throw new FormatException("is no PNG image: IHDR is missing");
    }
    ByteBuffer fields = ByteBuffer.wrap(Arrays.copyOf(chunks.bytes(), FIELDS));
    chunks.end();
    header = checked(fields);
    interlaced = fields.get(12) == 1;
    return header;
  }

  private static Png.Header checked(ByteBuffer fields) throws FormatException {
    int width = fields.getInt(0);
    int height = fields.getInt(4);
    if (width < 1 || width > Png.MAX_EDGE || height < 1 || height > Png.MAX_EDGE) {
      throw new FormatException(
          "the image is "
              + Integer.toUnsignedString(width)
              + " x "
              + Integer.toUnsignedString(height)
              + " pixels; each may be 1 to "
              + Png.MAX_EDGE);
    }
    if (fields.get(8) != 8) {
      throw new FormatException((fields.get(8) & 0xff) + " bits a channel; only 8 can be read");
    }
    int channels =
        switch (fields.get(9)) {
          case 0 -> 1;
          case 2 -> 3;
          case 6 -> 4;
          default ->
              throw new FormatException(
                  "colour type "
                      + (fields.get(9) & 0xff)
                      + "; grey (0), RGB (2) and RGBA (6) can be read");
        };
    if (fields.get(10) != 0 || fields.get(11) != 0 || (fields.get(12) & ~1) != 0) {
      throw new FormatException("an unknown way of compression, filtering or interlacing");
    }
    long bytes = (long) width * height * channels;
    if (bytes > Png.MAX_BYTES) {
      throw new FormatException(
          "the image has " + bytes + " bytes; at most " + Png.MAX_BYTES + " are read");
    }
    return new Png.Header(height, width, channels);
  }

  /** Unpacks the image, after {@link #header}, and reads the file to its end; once. */
  public void read(MemorySegment to) throws IOException {
    while (chunks.next() != Png.IDAT) {
      if (chunks.type() == Png.IEND) {
        throw early();
      }
      chunks.skip();
    }
    for (int[] pass : interlaced ? PASSES : WHOLE) {
      pass(pass, to);
    }
    chunks.skip();
    while (chunks.next() != Png.IEND) {
      chunks.skip();
    }
    chunks.skip();
    chunks.drain();
  }

  private void pass(int[] pass, MemorySegment to) throws IOException {
    int rows = Math.ceilDiv(header.height() - pass[0], pass[2]);
    int columns = Math.ceilDiv(header.width() - pass[1], pass[3]);
    if (rows <= 0 || columns <= 0) {
      return;
    }
    int pixel = header.channels();
    // The filter's number stands before each row.
    byte[] above = new byte[1 + columns * pixel];
    byte[] row = new byte[1 + columns * pixel];
    for (int y = 0; y < rows; y++) {
      inflate(row);
      unfilter(row, above, pixel);
      long start = (long) (pass[0] + y * pass[2]) * header.width() + pass[1];
      for (int x = 0; x < columns; x++) {
        long at = (start + (long) x * pass[3]) * pixel;
        MemorySegment.copy(row, 1 + x * pixel, to, ValueLayout.JAVA_BYTE, at, pixel);
      }
      byte[] last = above;
      above = row;
      row = last;
    }
  }

  private static void unfilter(byte[] row, byte[] above, int pixel) throws FormatException {
    for (int i = 1; i < row.length; i++) {
      int left = i <= pixel ? 0 : row[i - pixel] & 0xff;
      int corner = i <= pixel ? 0 : above[i - pixel] & 0xff;
      int up = above[i] & 0xff;
      int predicted =
          switch (row[0]) {
            case 0 -> 0;
            case 1 -> left;
            case 2 -> up;
            case 3 -> left + up >> 1;
            case Png.PAETH -> Png.paeth(left, up, corner);
            default -> throw new FormatException("the image is damaged: filter " + (row[0] & 0xff));
          };
      row[i] = (byte) (row[i] + predicted);
    }
  }

  /** The next bytes of the image, out of as many IDAT chunks as they need. */
  private void inflate(byte[] to) throws IOException {
    int done = 0;
    try {
      while (done < to.length) {
        int count = inflater.inflate(to, done, to.length - done);
        done += count;
        if (count == 0) {
          if (inflater.finished() || inflater.needsDictionary()) {
            throw early();
          }
          feed();
        }
      }
    } catch (DataFormatException e) {
      throw new FormatException("the image is damaged: " + e.getMessage());
    }
  }

  private void feed() throws IOException {
    while (chunks.left() == 0) {
      chunks.end();
      if (chunks.next() != Png.IDAT) {
        throw early();
      }
    }
    int count = chunks.take();
    inflater.setInput(chunks.bytes(), 0, count);
  }

  private static FormatException early() {
    return new FormatException("the image is damaged: its data end early");
  }

  @Override
  public void close() {
    inflater.end();
  }
}
