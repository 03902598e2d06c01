package io.isle.apps.jobs.data;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * How the bytes of a row stand for samples of 8 bits: those of 1, 2 and 4 bits are spread over the
 * range, those of 16 rounded to it, indices looked up in the palette. A transparent colour, or one
 * of a palette, makes an alpha channel. One thread.
 */
final class PngSamples {
  private static final int GREY = 0;
  private static final int RGB = 2;
  private static final int PALETTE = 3;
  private static final int GREY_ALPHA = 4;
  private static final int RGBA = 6;

  private static final int MOST_COLOURS = 256;
  private static final int OPAQUE = 255;

  private final int bits;
  private final int colours;

  /** Samples of a pixel in the file. */
  private final int stored;

  private byte[] palette;

  /** Of a palette, an alpha each; of grey or RGB, the samples of the colour that is transparent. */
  private byte[] transparency;

  private PngSamples(int bits, int colours, int stored) {
    this.bits = bits;
    this.colours = colours;
    this.stored = stored;
  }

  /**
   * @throws FormatException when the standard has no such images
   */
  static PngSamples of(int bits, int colours) throws FormatException {
    int stored =
        switch (colours) {
          case GREY, PALETTE -> 1;
          case GREY_ALPHA -> 2;
          case RGB -> 3;
          case RGBA -> 4;
          default ->
              throw new FormatException("colour type " + colours + " is not one of 0, 2, 3, 4, 6");
        };
    boolean known =
        switch (bits) {
          case 1, 2, 4 -> stored == 1;
          case 8 -> true;
          case 16 -> colours != PALETTE;
          default -> false;
        };
    if (!known) {
      throw new FormatException(
          "colour type " + colours + " does not allow a bit depth of " + bits);
    }
    return new PngSamples(bits, colours, stored);
  }

  /** Takes the palette, where the image is of indices. */
  void palette(byte[] data) throws FormatException {
    if (colours != PALETTE) {
      return;
    }
    if (palette != null || data.length == 0 || data.length % 3 != 0) {
      throw new FormatException(
          "the image is damaged: "
              + (palette == null ? "the palette is invalid" : "a second palette"));
    }
    palette = data;
  }

  /** Takes what is transparent, after the palette; an image with an alpha channel needs no such. */
  void transparency(byte[] data) throws FormatException {
    if (colours == GREY_ALPHA || colours == RGBA) {
      return;
    }
    boolean fits =
        colours == PALETTE
            ? palette != null && data.length <= palette.length / 3
            : data.length == 2 * stored;
    if (!fits || transparency != null) {
      throw new FormatException("the image is damaged: the list of transparent colours is invalid");
    }
    transparency = data;
  }

  /**
   * Before the first row: all that is needed has come.
   *
   * @throws FormatException when the palette is missing
   */
  void check() throws FormatException {
    if (colours == PALETTE && palette == null) {
      throw new FormatException("the image is damaged: the palette is missing");
    }
  }

  /** Of the array: 1 to 4. */
  int channels() {
    int plain = colours == PALETTE ? 3 : stored;
    return transparency == null ? plain : plain + 1;
  }

  /** Longest data of {@link #palette}. */
  static int longestPalette() {
    return MOST_COLOURS * 3;
  }

  /** Longest data of {@link #transparency}. */
  static int longestTransparency() {
    return MOST_COLOURS;
  }

  /** Bytes of so many pixels in the file. */
  int rowBytes(int columns) {
    return Math.ceilDiv(columns * stored * bits, 8);
  }

  /** Distance of the bytes by which filters predict. */
  int filterDistance() {
    return Math.max(1, stored * bits / 8);
  }

  /**
   * Unpacks a pixel.
   *
   * @param row of the file, from {@code first} on
   * @param at where its first channel goes
   */
  void unpack(byte[] row, int first, int column, MemorySegment to, long at) throws FormatException {
    if (colours == PALETTE) {
      index(sample(row, first, column), to, at);
      return;
    }
    boolean clear = transparency != null;
    for (int s = 0; s < stored; s++) {
      int value = sample(row, first, column * stored + s);
      to.set(ValueLayout.JAVA_BYTE, at + s, scaled(value));
      clear = clear && value == key(s);
    }
    if (transparency != null) {
      to.set(ValueLayout.JAVA_BYTE, at + stored, (byte) (clear ? 0 : OPAQUE));
    }
  }

  private void index(int colour, MemorySegment to, long at) throws FormatException {
    if (colour >= palette.length / 3) {
      throw new FormatException(
          "the image is damaged: colour "
              + colour
              + " is outside the palette of "
              + palette.length / 3);
    }
    MemorySegment.copy(palette, colour * 3, to, ValueLayout.JAVA_BYTE, at, 3);
    if (transparency != null) {
      byte alpha = colour < transparency.length ? transparency[colour] : (byte) OPAQUE;
      to.set(ValueLayout.JAVA_BYTE, at + 3, alpha);
    }
  }

  /** The transparent colour's sample; only the bits that samples have count. */
  private int key(int sample) {
    int value = (transparency[2 * sample] & 0xff) << 8 | transparency[2 * sample + 1] & 0xff;
    return value & (1 << bits) - 1;
  }

  private int sample(byte[] row, int first, int index) {
    return switch (bits) {
      case 8 -> row[first + index] & 0xff;
      case 16 -> (row[first + 2 * index] & 0xff) << 8 | row[first + 2 * index + 1] & 0xff;
      default -> {
        int bit = index * bits;
        int shift = 8 - bits - bit % 8;
        yield row[first + bit / 8] >> shift & (1 << bits) - 1;
      }
    };
  }

  private byte scaled(int value) {
    return (byte)
        switch (bits) {
          case 8 -> value;
          case 16 -> (value * 255 + 32_767) / 65_535;
          default -> value * 255 / ((1 << bits) - 1);
        };
  }
}
