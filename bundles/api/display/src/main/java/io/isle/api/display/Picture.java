package io.isle.api.display;

import java.util.Objects;

/** The pixels of a screen. Immutable. */
public final class Picture {
  private final long point;
  private final int width;
  private final int height;
  private final int[] rgb;

  /**
   * Takes the array without a copy: the caller must not change the array afterwards.
   *
   * @param point newest shown flip
   * @param width 1 or more pixels
   * @param height 1 or more lines
   * @param rgb width * height pixels, line by line: red, green and blue in the lower 24 bits
   */
  public Picture(long point, int width, int height, int[] rgb) {
    if (width < 1 || height < 1 || rgb.length != (long) width * height) {
      throw new IllegalArgumentException(
          "rgb: " + rgb.length + " pixels, not " + width + " x " + height);
    }
    this.point = point;
    this.width = width;
    this.height = height;
    this.rgb = rgb;
  }

  /** The newest shown flip; 0 before the first flip. */
  public long point() {
    return point;
  }

  /** The same pixels with another point. */
  public Picture at(long newPoint) {
    return new Picture(newPoint, width, height, rgb);
  }

  /** Width in pixels. */
  public int width() {
    return width;
  }

  /** Height in lines. */
  public int height() {
    return height;
  }

  /**
   * A pixel: red, green and blue in the lower 24 bits.
   *
   * @throws IndexOutOfBoundsException outside of the picture
   */
  public int rgb(int x, int y) {
    return rgb[Objects.checkIndex(y, height) * width + Objects.checkIndex(x, width)];
  }
}
