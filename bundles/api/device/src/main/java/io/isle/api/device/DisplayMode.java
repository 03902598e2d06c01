package io.isle.api.device;

import java.util.Locale;

/**
 * A display mode with its timings, the Java form of AccelDisplayMode (accelerator framework,
 * 42.2.6). A line consists of width and the three horizontal parts, in pixels; a frame consists of
 * height and the three vertical parts, in lines.
 *
 * @param width in pixels, 1 to {@link #MAX_SIDE}
 * @param height in lines, 1 to {@link #MAX_SIDE}
 * @param refreshMillihertz refresh rate in mHz
 * @param clockKilohertz pixel clock in kHz
 * @param hfp horizontal front porch, in pixels
 * @param hsw horizontal sync width, in pixels
 * @param hbp horizontal back porch, in pixels
 * @param vfp vertical front porch, in lines
 * @param vsw vertical sync width, in lines
 * @param vbp vertical back porch, in lines
 * @param preferred whether the screen prefers this mode
 */
public record DisplayMode(
    int width,
    int height,
    int refreshMillihertz,
    int clockKilohertz,
    int hfp,
    int hsw,
    int hbp,
    int vfp,
    int vsw,
    int vbp,
    boolean preferred) {
  /** Largest width or height. */
  public static final int MAX_SIDE = 16384;

  /** Pixels of a frame, including blanking. */
  public long totalPixels() {
    return (long) (width + hfp + hsw + hbp) * (height + vfp + vsw + vbp);
  }

  /**
   * The name of the mode in commands, such as {@code 1920x1080@59.940}; the refresh rate is in Hz.
   */
  public String text() {
    return String.format(
        Locale.ROOT,
        "%dx%d@%d.%03d",
        width,
        height,
        refreshMillihertz / 1000,
        refreshMillihertz % 1000);
  }
}
