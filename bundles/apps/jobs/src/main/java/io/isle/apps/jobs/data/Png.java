package io.isle.apps.jobs.data;

import java.util.List;

/**
 * PNG images as arrays of u8 of the shape [height, width, channels]: grey (1), grey and alpha (2),
 * RGB (3) or RGBA (4).
 */
public final class Png {
  /** Most pixels along an edge. */
  public static final int MAX_EDGE = 32_768;

  /** Most bytes of an image, unpacked. */
  public static final long MAX_BYTES = 256L << 20;

  /** Most bytes of a file. */
  public static final long MAX_FILE = 512L << 20;

  static final int IHDR = 0x49484452;
  static final int IDAT = 0x49444154;
  static final int PLTE = 0x504c5445;
  static final int TRNS = 0x74524e53;
  static final int IEND = 0x49454e44;
  static final int PAETH = 4;

  private static final byte[] MAGIC = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

  private Png() {}

  /** An image's extents: height, width, channels. */
  public record Header(int height, int width, int channels) {
    public List<Long> shape() {
      return List.of((long) height, (long) width, (long) channels);
    }
  }

  /** What every file begins with. */
  static byte[] magic() {
    return MAGIC.clone();
  }

  /** The number among left, above and upper left that is nearest to left + above - upper left. */
  static int paeth(int left, int above, int corner) {
    int toLeft = Math.abs(above - corner);
    int toAbove = Math.abs(left - corner);
    int toCorner = Math.abs(left + above - 2 * corner);
    return toLeft <= toAbove && toLeft <= toCorner ? left : toAbove <= toCorner ? above : corner;
  }

  /**
   * Whether an array can be an image; the reason if not.
   *
   * @return null if it can
   */
  public static String refusal(ElementType type, List<Long> shape) {
    if (type != ElementType.U8 || shape.size() != 3) {
      return "a PNG image has elements of u8 and the shape [height, width, channels];"
          + " this array is "
          + type.text()
          + " "
          + Dims.show(shape);
    }
    long channels = shape.get(2);
    if (channels < 1 || channels > 4) {
      return "a PNG image has 1 to 4 channels, not " + channels;
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
}
