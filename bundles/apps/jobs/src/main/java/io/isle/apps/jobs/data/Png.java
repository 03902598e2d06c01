package io.isle.apps.jobs.data;

import java.awt.image.BufferedImage;
import java.awt.image.Raster;
import java.awt.image.WritableRaster;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.ImageOutputStream;
import javax.imageio.stream.MemoryCacheImageInputStream;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/**
 * PNG images as arrays of u8 of the shape [height, width, channels]: 8 bits a channel, grey (1),
 * RGB (3) or RGBA (4). An image's size is checked before it is unpacked.
 */
public final class Png {
  /** Most pixels along an edge. */
  public static final int MAX_EDGE = 32_768;

  /** Most bytes of an image, unpacked. */
  public static final long MAX_BYTES = 256L << 20;

  /** Most bytes of a file. */
  public static final long MAX_FILE = 512L << 20;

  private static final byte[] MAGIC = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  private static final int IHDR = MAGIC.length + 8;
  private static final int HEADER = IHDR + 13;

  private Png() {}

  /** An image's extents: height, width, channels. */
  public record Header(int height, int width, int channels) {
    public List<Long> shape() {
      return List.of((long) height, (long) width, (long) channels);
    }
  }

  /**
   * Reads what an image is.
   *
   * @throws FormatException naming the field and the limit
   */
  public static Header header(byte[] file) throws FormatException {
    ByteBuffer bytes = ByteBuffer.wrap(file);
    if (file.length < HEADER
        || !ByteBuffer.wrap(MAGIC).equals(bytes.slice(0, MAGIC.length))
        || !new String(file, MAGIC.length + 4, 4, StandardCharsets.US_ASCII).equals("IHDR")) {
      throw new FormatException("is no PNG image");
    }
    int width = bytes.getInt(IHDR);
    int height = bytes.getInt(IHDR + 4);
    for (int edge : new int[] {width, height}) {
      if (edge < 1 || edge > MAX_EDGE) {
        throw new FormatException(
            "the image is "
                + Integer.toUnsignedString(width)
                + " x "
                + Integer.toUnsignedString(height)
                + " pixels; each may be 1 to "
                + MAX_EDGE);
      }
    }
    int channels =
        switch (bytes.get(IHDR + 9)) {
          case 0 -> 1;
          case 2 -> 3;
          case 6 -> 4;
          default ->
              throw new FormatException(
                  "colour type "
                      + (bytes.get(IHDR + 9) & 0xff)
                      + "; grey (0), RGB (2) and RGBA (6) can be read");
        };
    if (bytes.get(IHDR + 8) != 8) {
      throw new FormatException(
          (bytes.get(IHDR + 8) & 0xff) + " bits a channel; only 8 can be read");
    }
    if ((long) width * height * channels > MAX_BYTES) {
      throw new FormatException(
          "the image has "
              + (long) width * height * channels
              + " bytes; at most "
              + MAX_BYTES
              + " are read");
    }
    return new Header(height, width, channels);
  }

  /** Unpacks an image, whose {@link #header} was read, into {@code to}. */
  public static void read(byte[] file, Header header, MemorySegment to) throws IOException {
    Iterator<ImageReader> readers = ImageIO.getImageReadersByFormatName("png");
    if (!readers.hasNext()) {
      throw new FormatException("this Java has no reader of PNG images");
    }
    ImageReader reader = readers.next();
    try (ImageInputStream in = new MemoryCacheImageInputStream(new ByteArrayInputStream(file))) {
      reader.setInput(in, true, true);
      copy(reader.read(0).getRaster(), header, to);
    } catch (RuntimeException e) {
      // The library's own checks are not complete: an image that confuses it is a bad image.
      throw new FormatException("the PNG image is damaged: " + e);
    } finally {
      reader.dispose();
    }
  }

  private static void copy(Raster raster, Header header, MemorySegment to) throws IOException {
    if (raster.getWidth() != header.width()
        || raster.getHeight() != header.height()
        || raster.getNumBands() < header.channels()) {
      throw new FormatException("the PNG image is not what its header says");
    }
    int bands = raster.getNumBands();
    int[] row = new int[header.width() * bands];
    long at = 0;
    for (int y = 0; y < header.height(); y++) {
      raster.getPixels(raster.getMinX(), raster.getMinY() + y, header.width(), 1, row);
      for (int x = 0; x < header.width(); x++) {
        for (int c = 0; c < header.channels(); c++) {
          to.set(ValueLayout.JAVA_BYTE, at++, (byte) row[x * bands + c]);
        }
      }
    }
  }

  /**
   * Whether an array can be an image; the reason if not.
   *
   * @return null if it can
   */
  public static String refusal(ElementType type, List<Long> shape) {
    if (type != ElementType.U8 || shape.size() != 3) {
      return "a PNG image is u8 of the shape [height, width, channels]; this is "
          + type.text()
          + " "
          + Dims.show(shape);
    }
    long channels = shape.get(2);
    if (channels != 1 && channels != 3 && channels != 4) {
      return "a PNG image has 1, 3 or 4 channels, not " + channels;
    }
    for (long edge : shape.subList(0, 2)) {
      if (edge < 1 || edge > MAX_EDGE) {
        return "a PNG image has 1 to " + MAX_EDGE + " rows and columns, not " + edge;
      }
    }
    return Dims.elements(shape) > MAX_BYTES
        ? "a PNG image has at most " + MAX_BYTES + " bytes"
        : null;
  }

  /** Writes an array that {@link #refusal} takes. */
  public static void write(List<Long> shape, MemorySegment from, OutputStream out)
      throws IOException {
    int height = Math.toIntExact(shape.get(0));
    int width = Math.toIntExact(shape.get(1));
    int channels = Math.toIntExact(shape.get(2));
    int kind =
        switch (channels) {
          case 1 -> BufferedImage.TYPE_BYTE_GRAY;
          case 3 -> BufferedImage.TYPE_3BYTE_BGR;
          default -> BufferedImage.TYPE_4BYTE_ABGR;
        };
    BufferedImage image = new BufferedImage(width, height, kind);
    WritableRaster raster = image.getRaster();
    int[] row = new int[width * channels];
    for (int y = 0; y < height; y++) {
      for (int i = 0; i < row.length; i++) {
        row[i] = from.get(ValueLayout.JAVA_BYTE, (long) y * row.length + i) & 0xff;
      }
      raster.setPixels(0, y, width, 1, row);
    }
    ImageWriter writer = ImageIO.getImageWritersByFormatName("png").next();
    try (ImageOutputStream to = new MemoryCacheImageOutputStream(out)) {
      writer.setOutput(to);
      writer.write(image);
    } finally {
      writer.dispose();
    }
  }
}
