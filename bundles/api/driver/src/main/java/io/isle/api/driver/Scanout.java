package io.isle.api.driver;

import io.isle.api.base.Errno;
import io.isle.api.device.ScanoutStatus;
import java.lang.foreign.MemorySegment;

/** Extension of a {@link Display}: times of flips, and the contents of screens. Control lane. */
public interface Scanout {
  /**
   * The state of a connector. Never waits.
   *
   * @throws DriverException ENOENT for an unknown connector
   */
  ScanoutStatus status(int connector);

  /**
   * Reads whole lines of the current contents of the screen, with the cursor; black while the
   * screen is not on.
   *
   * @param lineCount at least 1; the result may have fewer lines
   * @throws DriverException ENOENT; ENXIO; EINVAL without a mode or beyond the last line; ENOTSUP
   */
  default Lines read(int connector, int firstLine, int lineCount) {
    throw new DriverException(Errno.ENOTSUP, "the display cannot be read");
  }

  /**
   * Lines of a picture.
   *
   * @param point newest shown flip
   * @param width width of the whole picture in pixels
   * @param height height of the whole picture in lines
   * @param first first line
   * @param count number of lines
   * @param pixels count * width little-endian words: 0 in the upper 8 bits, then red, green, blue
   */
  record Lines(long point, int width, int height, int first, int count, MemorySegment pixels) {}
}
