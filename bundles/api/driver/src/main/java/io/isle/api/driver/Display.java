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
 * DriverException} with ENOENT for an unknown connector; ENXIO when a screen is needed and none is
 * plugged in.
 */
public interface Display {
  /** Most pixels of a cursor's side. */
  int MAX_CURSOR = 64;

  /** All of them, plugged in or not; their ids stay while the device is open. */
  List<DisplayConnector> connectors();

  /** Modes of the screen that is plugged in; none if there is none. */
  List<DisplayMode> modes(int connector);

  /**
   * Sets one of {@link #modes}; frames begin anew. A flip that waits counts as shown. What is shown
   * stays if its size is the mode's, else the screen is black until the next flip.
   *
   * @throws DriverException EINVAL for a mode that the screen lacks
   */
  void setMode(int connector, DisplayMode mode);

  /**
   * Makes memory of any context something that can be shown. It is gone with its memory, and a
   * screen that shows it then is black.
   *
   * @param framebuffer core id for it
   * @param memory core id
   * @throws DriverException EINVAL when it does not fit into the memory; ENOTSUP for the format;
   *     ENOSPC; ENOENT or ESTALE for unknown memory
   */
  void createFramebuffer(long framebuffer, long memory, int width, int height, PixelFormat format);

  /**
   * Shows a framebuffer from the next frame on.
   *
   * @return a point of the connector's: above all before it. {@link Scanout#status} tells when it
   *     is reached, which it also is when the screen is switched off or pulled out
   * @throws DriverException EBUSY while a flip waits; EINVAL without a mode or when the sizes
   *     differ; EPERM unless the screen is on; ESTALE for an unknown framebuffer
   */
  long flip(int connector, long framebuffer);

  /** Switches the screen; its mode stays. */
  void setDpms(int connector, DpmsState state);

  boolean connected(int connector);

  /** What the screen says of itself: blocks of 128 bytes, 32 KiB at most. */
  byte[] edid(int connector);

  /**
   * Shows a picture above all else.
   *
   * @param argb width * height pixels, opacity in the upper 8 bits
   * @param x of its upper left corner on the screen
   * @throws DriverException EINVAL beyond {@link #MAX_CURSOR}, off the screen, or without a mode;
   *     ENOTSUP without cursors
   */
  default void setCursor(int connector, int width, int height, int x, int y, int[] argb) {
    throw new DriverException(Errno.ENOTSUP, "the display has no cursor");
  }

  /** Takes the cursor away. */
  default void hideCursor(int connector) {
    throw new DriverException(Errno.ENOTSUP, "the display has no cursor");
  }

  /**
   * Has the screen wait for flips, within its range of refresh rates.
   *
   * @throws DriverException ENOTSUP without such a range; EINVAL without a mode
   */
  default void setVariableRefresh(int connector, boolean enabled) {
    throw new DriverException(Errno.ENOTSUP, "the display has fixed refresh rates only");
  }
}
