package io.isle.api.device;

import java.util.Locale;

/**
 * A display mode with its timings, the Java form of AccelDisplayMode (accelerator framework,
 * 42.2.6). A line takes width and the three horizontal parts in pixels, a frame height and the
 * three vertical parts in lines.
 *
 * @param width pixels, 1 to {@link #MAX_SIDE}
 * @param height lines, 1 to {@link #MAX_SIDE}
 * @param refreshMillihertz frames in a thousand seconds
 * @param clockKilohertz pixels in a millisecond
 * @param hfp horizontal front porch; hsw and hbp are sync width and back porch
 * @param vfp vertical front porch; vsw and vbp are sync width and back porch
 * @param preferred the screen's own choice
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
  /** Most pixels of a side. */
  public static final int MAX_SIDE = 16384;

  /** Pixels of a frame, blanking included. */
  public long totalPixels() {
    return (long) (width + hfp + hsw + hbp) * (height + vfp + vsw + vbp);
  }

  /** The name that people use, such as {@code 1920x1080@59.940}: the refresh rate is in Hz. */
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
