package io.isle.api.driver;

import io.isle.api.base.Errno;
import io.isle.api.device.DisplayConnector;
import io.isle.api.device.DisplayMode;
import io.isle.api.device.DpmsState;
import io.isle.api.device.PixelFormat;
import java.util.List;

/**
 * Extension: connectors, modes and page flips, the Java form of AccelDisplayVTable (accelerator
 * framework, 42.2.6). Control lane; no call waits for a screen. Every call may throw {@link
 * DriverException} with ENOENT for an unknown connector, and ENXIO if the call needs a screen and
 * no screen is plugged in.
 */
public interface Display {
  /** Largest width and height of a cursor in pixels. */
  int MAX_CURSOR = 64;

  /** All connectors, with or without a screen; their ids are constant while the device is open. */
  List<DisplayConnector> connectors();

  /** Modes of the connected screen; empty without a screen. */
  List<DisplayMode> modes(int connector);

  /**
   * Sets one of {@link #modes} and restarts the frames. A waiting flip counts as shown. The shown
   * framebuffer stays if it has the size of the mode; otherwise the screen is black until the next
   * flip.
   *
   * @throws DriverException EINVAL for a mode that the screen lacks
   */
  void setMode(int connector, DisplayMode mode);

  /**
   * Makes a framebuffer of memory of any context. The framebuffer ends with its memory; a screen
   * that shows an ended framebuffer is black.
   *
   * @param framebuffer core id for the framebuffer
   * @param memory core id of the memory
   * @param width in pixels
   * @param height in lines
   * @throws DriverException EINVAL if the framebuffer does not fit into the memory; ENOTSUP for the
   *     format; ENOSPC; ENOENT or ESTALE for unknown memory
   */
  void createFramebuffer(long framebuffer, long memory, int width, int height, PixelFormat format);

  /**
   * Shows a framebuffer from the next frame on.
   *
   * @return a point of the connector, above all earlier points. {@link Scanout#status} reports when
   *     the point is reached; a point is also reached when the screen is switched off or unplugged
   * @throws DriverException EBUSY while a flip waits; EINVAL without a mode or for a different
   *     size; EPERM unless the screen is on; ESTALE for an unknown framebuffer
   */
  long flip(int connector, long framebuffer);

  /** Sets the power state of the screen; its mode stays. */
  void setDpms(int connector, DpmsState state);

  /** Whether a screen is plugged in. */
  boolean connected(int connector);

  /** The EDID of the screen: blocks of 128 bytes, at most 32 KiB. */
  byte[] edid(int connector);

  /**
   * Shows a picture above the framebuffer.
   *
   * @param width in pixels, at most {@link #MAX_CURSOR}
   * @param height in lines, at most {@link #MAX_CURSOR}
   * @param x column of the upper left corner on the screen
   * @param y line of the upper left corner on the screen
   * @param argb width * height pixels, opacity in the upper 8 bits
   * @throws DriverException EINVAL for a size above {@link #MAX_CURSOR}, a position off the screen,
   *     or without a mode; ENOTSUP without cursors
   */
  default void setCursor(int connector, int width, int height, int x, int y, int[] argb) {
    throw new DriverException(Errno.ENOTSUP, "the display has no cursor");
  }

  /** Hides the cursor. */
  default void hideCursor(int connector) {
    throw new DriverException(Errno.ENOTSUP, "the display has no cursor");
  }

  /**
   * Makes the screen wait for flips, within its range of refresh rates.
   *
   * @throws DriverException ENOTSUP without such a range; EINVAL without a mode
   */
  default void setVariableRefresh(int connector, boolean enabled) {
    throw new DriverException(Errno.ENOTSUP, "the display has fixed refresh rates only");
  }
}
