package io.isle.api.driver;

import io.isle.api.base.Errno;
import io.isle.api.device.ScanoutStatus;
import java.lang.foreign.MemorySegment;

/** Extension of a {@link Display}: when flips are shown, and what a screen shows. Control lane. */
public interface Scanout {
  /** Never waits. ENOENT (DriverException) for an unknown connector. */
  ScanoutStatus status(int connector);

  /**
   * Reads whole lines of what the screen shows now, cursor and all; black while it is not on.
   *
   * @param lineCount at least 1; fewer may come
   * @throws DriverException ENOENT; ENXIO; EINVAL without a mode or beyond the last line; ENOTSUP
   */
  default Lines read(int connector, int firstLine, int lineCount) {
    throw new DriverException(Errno.ENOTSUP, "the display cannot be read");
  }

  /**
   * Lines of a picture.
   *
   * @param point of the newest flip that is shown
   * @param width of the whole picture, and height
   * @param count lines, from {@code first} on
   * @param pixels count * width little-endian words, 0 in the upper 8 bits, then red, green, blue
   */
  record Lines(long point, int width, int height, int first, int count, MemorySegment pixels) {}
}
