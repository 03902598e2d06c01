package io.isle.apps.jobs.data;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
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
  private PngSamples samples;

  public PngReader(ByteSource file) {
    chunks = new PngChunks(file);
  }

  /**
   * Reads what the image is, up to its pixels; once, first.
   *
   * @throws FormatException naming the field and the limit
   */
  public Png.Header header() throws IOException {
    chunks.magic();
    if (chunks.next() != Png.IHDR || chunks.left() != FIELDS) {
      throw new FormatException("is not a PNG image: IHDR is missing");
    }
    ByteBuffer fields = ByteBuffer.wrap(chunks.whole("IHDR", FIELDS));
    checkEdges(fields.getInt(0), fields.getInt(4));
    samples = PngSamples.of(fields.get(8) & 0xff, fields.get(9) & 0xff);
    if (fields.get(10) != 0 || fields.get(11) != 0 || (fields.get(12) & ~1) != 0) {
      throw new FormatException(
          "the image has an unknown method of compression, filtering or interlacing");
    }
    interlaced = fields.get(12) == 1;
    checkedBytes(fields);
    readColours();
    header = checkedBytes(fields);
    return header;
  }

  private static void checkEdges(int width, int height) throws FormatException {
    if (width < 1 || width > Png.MAX_EDGE || height < 1 || height > Png.MAX_EDGE) {
      throw new FormatException(
          "the image is "
              + Integer.toUnsignedString(width)
              + " x "
              + Integer.toUnsignedString(height)
              + " pixels; width and height must be 1 to "
              + Png.MAX_EDGE);
    }
  }

  private Png.Header checkedBytes(ByteBuffer fields) throws FormatException {
    Png.Header size = new Png.Header(fields.getInt(4), fields.getInt(0), samples.channels());
    long bytes = Dims.elements(size.shape());
    if (bytes > Png.MAX_BYTES) {
      throw new FormatException("the image has " + bytes + " bytes; the limit is " + Png.MAX_BYTES);
    }
    return size;
  }

  /** Everything before the pixels: the palette and what is transparent. */
  private void readColours() throws IOException {
    while (chunks.next() != Png.IDAT) {
      switch (chunks.type()) {
        case Png.IEND -> throw early();
        case Png.PLTE -> samples.palette(chunks.whole("PLTE", PngSamples.longestPalette()));
        case Png.TRNS ->
            samples.transparency(chunks.whole("tRNS", PngSamples.longestTransparency()));
        default -> chunks.skip();
      }
    }
    samples.check();
  }

  /** Unpacks the image, after {@link #header}, and reads the file to its end; once. */
  public void read(MemorySegment to) throws IOException {
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
    // The filter's number stands before each row.
    byte[] above = new byte[1 + samples.rowBytes(columns)];
    byte[] row = new byte[above.length];
    for (int y = 0; y < rows; y++) {
      inflate(row);
      unfilter(row, above, samples.filterDistance());
      long start = (long) (pass[0] + y * pass[2]) * header.width() + pass[1];
      for (int x = 0; x < columns; x++) {
        samples.unpack(row, 1, x, to, (start + (long) x * pass[3]) * header.channels());
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
            default ->
                throw new FormatException(
                    "the image is damaged: unknown filter type " + (row[0] & 0xff));
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
    return new FormatException("the image is damaged: the pixel data end early");
  }

  @Override
  public void close() {
    inflater.end();
  }
}
