package io.isle.api.display;

import java.util.Objects;

/** Pixels of a screen. Immutable. */
public final class Picture {
  private final long point;
  private final int width;
  private final int height;
  private final int[] rgb;

  /**
   * Takes the array as it is: the caller forgets it.
   *
   * @param point of the newest flip that is shown
   * @param width 1 or more; height likewise
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

  /** Point of the newest flip that is shown; 0 before the first. */
  public long point() {
    return point;
  }

  /** The same pixels with another point. */
  public Picture at(long newPoint) {
    return new Picture(newPoint, width, height, rgb);
  }

  public int width() {
    return width;
  }

  public int height() {
    return height;
  }

  /**
   * A pixel: red, green and blue in the lower 24 bits.
   *
   * @throws IndexOutOfBoundsException off the picture
   */
  public int rgb(int x, int y) {
    return rgb[Objects.checkIndex(y, height) * width + Objects.checkIndex(x, width)];
  }
}
