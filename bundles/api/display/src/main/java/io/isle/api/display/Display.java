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
 * The screens of one accelerator, under a capability with ACCEL_DISPLAY, which every call checks
 * anew. What is set outlives the driver's crash: after a recovery the core sets modes, makes
 * framebuffers and shows again what was shown, with what their memory then holds. Thread-safe.
 *
 * <p>Every call may throw {@link AccelException} with ENOENT for an unknown connector, ENXIO when a
 * screen is needed and none is plugged in, EINTR while the device recovers, ENODEV when it is not
 * open and ECLOSED when the owner of displays has stopped; and {@link
 * io.isle.api.tenancy.TenancyException} with EACCES or EREVOKED.
 */
@ProviderType
public interface Display {
  /** Most pixels of a cursor's side. */
  int MAX_CURSOR = 64;

  /** Id of the device. */
  String device();

  /** All of them, plugged in or not. */
  List<DisplayConnector> connectors();

  /** Modes of the screen that is plugged in; none if there is none. */
  List<DisplayMode> modes(int connector);

  /** What the screen says of itself, EDID: blocks of 128 bytes. */
  byte[] edid(int connector);

  /**
   * What the connector sends now; its {@code point} is one of {@link #flip}. Its {@code hotplugs}
   * are counted over all openings of the device, and one more if a screen came or went between two.
   *
   * @throws AccelException ENOTSUP when the driver does not tell
   */
  ScanoutStatus status(int connector);

  /**
   * Sets one of {@link #modes}. A flip that waits counts as shown.
   *
   * @throws AccelException EINVAL for a mode that the screen lacks
   */
  void setMode(int connector, DisplayMode mode);

  /** Switches the screen; its mode stays. A flip that waits counts as shown. */
  void setDpms(int connector, DpmsState state);

  /**
   * Has the screen wait for flips, within its range of refresh rates.
   *
   * @throws AccelException ENOTSUP without such a range; EINVAL without a mode
   */
  void setVariableRefresh(int connector, boolean enabled);

  /**
   * Makes memory of this tenant on the device something that can be shown, for as long as there is
   * the memory; it may be drawn into at any time, by submissions and through mappings. It is known
   * by its id, so it stays good when the owner of displays restarts.
   *
   * @param buffer holds width * height pixels at least, from its start
   * @throws AccelException EINVAL naming the argument; EACCES for another tenant's memory; ECLOSED
   *     when the buffer is closed; ENOTSUP for the format, or for memory in a process of a group;
   *     ENOSPC
   */
  Framebuffer framebuffer(Buffer buffer, int width, int height, PixelFormat format);

  /**
   * Shows a framebuffer from the next frame on. It does not wait for submissions that draw into it:
   * await them first.
   *
   * @param framebuffer one of this tenant's
   * @return a point of the connector: 1, 2, 3, ...
   * @throws AccelException EBUSY while a flip waits for its frame, which may be the one with which
   *     a recovery shows again what was shown: {@link #status} tells; EINVAL without a mode or when
   *     the framebuffer has another size; EPERM unless the screen is on; ESTALE when its memory is
   *     gone; EACCES when it is another tenant's
   */
  long flip(int connector, Framebuffer framebuffer);

  /**
   * Waits until the frame of a flip has begun.
   *
   * @param timeoutNs negative to wait without limit
   * @return 0 when it is shown, or would be if the screen were on and plugged in; -EINTR when the
   *     device recovered, or recovers, before that, which is remembered of the 64 newest such flips
   *     of a connector; -ETIME when the wait ran out; -ECANCELED when interrupted (the thread's
   *     interrupt flag stays set); -EINVAL never flipped; -ENODEV; -ENOTSUP when the driver does
   *     not tell; -ECLOSED
   */
  int await(int connector, long point, long timeoutNs);

  /**
   * Waits until a screen came or went: until {@code hotplugs} of {@link #status} is not what the
   * caller has seen. The connector is asked 20 times a second; the wait goes on over recoveries.
   *
   * @param timeoutNs negative to wait without limit
   * @return 0; -ETIME when the wait ran out; -ECANCELED when interrupted (the thread's interrupt
   *     flag stays set); -ENOENT; -ENODEV; -ENOTSUP when the driver does not tell; -ECLOSED
   */
  int awaitHotplug(int connector, int seen, long timeoutNs);

  /**
   * Shows a picture above all else.
   *
   * @param width 1 to {@link #MAX_CURSOR} pixels; height likewise
   * @param x of its upper left corner on the screen
   * @param argb width * height pixels, line by line: opacity, red, green, blue
   * @throws AccelException EINVAL naming the argument, or without a mode; ENOTSUP without cursors
   */
  void setCursor(int connector, int width, int height, int x, int y, int[] argb);

  /** Takes the cursor away. */
  void hideCursor(int connector);

  /**
   * What the screen shows now, cursor and all.
   *
   * @throws AccelException EINVAL without a mode; ENOTSUP; EAGAIN when it changes too fast for a
   *     whole picture; EMSGSIZE beyond 2^25 pixels
   */
  Picture capture(int connector);
}
