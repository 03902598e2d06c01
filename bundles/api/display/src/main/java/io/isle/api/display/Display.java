package io.isle.api.display;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Buffer;
import io.isle.api.device.DisplayConnector;
import io.isle.api.device.DisplayMode;
import io.isle.api.device.DpmsState;
import io.isle.api.device.PixelFormat;
import io.isle.api.device.ScanoutStatus;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The screens of one accelerator, under a capability with ACCEL_DISPLAY, which every call checks.
 * Settings survive a crash of the driver: after a recovery, the core sets the modes, makes the
 * framebuffers again and shows the previous framebuffers, with the contents of their rebuilt
 * memory. Thread-safe.
 *
 * <p>Every call may throw {@link AccelException} with ENOENT for an unknown connector, ENXIO if the
 * call needs a screen and no screen is plugged in, EINTR while the device recovers, ENODEV if the
 * device is not open, and ECLOSED after the stop of {@code core/display}; and {@link
 * io.isle.api.tenancy.TenancyException} with EACCES or EREVOKED.
 */
@ProviderType
public interface Display {
  /** Largest width and height of a cursor in pixels. */
  int MAX_CURSOR = 64;

  /** Id of the device. */
  String device();

  /** All connectors, with or without a screen. */
  List<DisplayConnector> connectors();

  /** Modes of the connected screen; empty without a screen. */
  List<DisplayMode> modes(int connector);

  /** The EDID of the screen: blocks of 128 bytes. */
  byte[] edid(int connector);

  /**
   * The current output of a connector; its {@code point} is a result of {@link #flip}. Its {@code
   * hotplugs} continue across openings of the device; a change between two openings counts once.
   *
   * @throws AccelException ENOTSUP if the driver has no such reports
   */
  ScanoutStatus status(int connector);

  /**
   * Sets one of {@link #modes}. A waiting flip counts as shown.
   *
   * @throws AccelException EINVAL for a mode that the screen lacks
   */
  void setMode(int connector, DisplayMode mode);

  /** Sets the power state of the screen; its mode stays. A waiting flip counts as shown. */
  void setDpms(int connector, DpmsState state);

  /**
   * Makes the screen wait for flips, within its range of refresh rates.
   *
   * @throws AccelException ENOTSUP without such a range; EINVAL without a mode
   */
  void setVariableRefresh(int connector, boolean enabled);

  /**
   * Makes a framebuffer of memory of this tenant on the device. The framebuffer lasts as long as
   * the memory; submissions and mappings may draw into the memory at any time. The framebuffer is
   * identified by its id and stays valid across restarts of {@code core/display}.
   *
   * @param buffer with at least width * height pixels, from its begin
   * @param width in pixels
   * @param height in lines
   * @throws AccelException EINVAL with the name of the argument; EACCES for memory of another
   *     tenant; ECLOSED for a closed buffer; ENOTSUP for the format, or for memory in a process of
   *     a group; ENOSPC
   */
  Framebuffer framebuffer(Buffer buffer, int width, int height, PixelFormat format);

  /**
   * Shows a framebuffer from the next frame on. A flip does not wait for submissions that draw:
   * await these submissions first.
   *
   * @param framebuffer a framebuffer of this tenant
   * @return a point of the connector: 1, 2, 3, ...
   * @throws AccelException EBUSY while a flip waits for its frame, including the flip by which a
   *     recovery restores the picture, see {@link #status}; EINVAL without a mode or for a
   *     different size; EPERM unless the screen is on; ESTALE if the framebuffer's memory is gone;
   *     EACCES for a framebuffer of another tenant
   */
  long flip(int connector, Framebuffer framebuffer);

  /**
   * Waits for the begin of the frame of a flip.
   *
   * @param timeoutNs in nanoseconds; negative for no limit
   * @return 0 if the flip is shown, or would be shown on a screen that is on and plugged in; -EINTR
   *     if the device recovered before the frame, known for the 64 newest such flips of a
   *     connector, or recovers; -ETIME after the time limit; -ECANCELED after an interrupt (the
   *     thread's interrupt flag stays set); -EINVAL for a point without a flip; -ENODEV; -ENOTSUP
   *     if the driver has no such reports; -ECLOSED
   */
  int await(int connector, long point, long timeoutNs);

  /**
   * Waits until a screen is plugged in or unplugged: until {@code hotplugs} of {@link #status}
   * differs from {@code seen}. The core polls the connector 20 times a second; the wait continues
   * across recoveries.
   *
   * @param seen last known {@code hotplugs}
   * @param timeoutNs in nanoseconds; negative for no limit
   * @return 0; -ETIME after the time limit; -ECANCELED after an interrupt (the thread's interrupt
   *     flag stays set); -ENOENT; -ENODEV; -ENOTSUP if the driver has no such reports; -ECLOSED
   */
  int awaitHotplug(int connector, int seen, long timeoutNs);

  /**
   * Shows a picture above the framebuffer.
   *
   * @param width 1 to {@link #MAX_CURSOR} pixels
   * @param height 1 to {@link #MAX_CURSOR} lines
   * @param x column of the upper left corner on the screen
   * @param y line of the upper left corner on the screen
   * @param argb width * height pixels, line by line: opacity, red, green, blue
   * @throws AccelException EINVAL with the name of the argument, or without a mode; ENOTSUP without
   *     cursors
   */
  void setCursor(int connector, int width, int height, int x, int y, int[] argb);

  /** Hides the cursor. */
  void hideCursor(int connector);

  /**
   * The current contents of the screen, with the cursor.
   *
   * @throws AccelException EINVAL without a mode; ENOTSUP; EAGAIN if the contents change too fast
   *     for a whole picture; EMSGSIZE beyond 2^25 pixels
   */
  Picture capture(int connector);
}
