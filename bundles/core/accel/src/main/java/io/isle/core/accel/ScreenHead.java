package io.isle.core.accel;

import io.isle.api.device.DisplayMode;
import io.isle.api.device.DpmsState;
import io.isle.api.driver.Display;

/**
 * What tenants made of one connector, and the points of its flips: 1, 2, 3, ... over all devices.
 * At most one flip waits. Guarded by its owner.
 */
final class ScreenHead {
  /** Null until one is set. */
  DisplayMode mode;

  DpmsState dpms = DpmsState.ON;
  boolean variableRefresh;

  /** Null without one. */
  Cursor cursor;

  /** What the newest flip shows; null before the first. */
  ShownMemory shown;

  private long asked;
  private long reached;

  /** The newest flip that a recovery kept from being shown. */
  private long interrupted;

  /** The device's point of the newest flip. */
  private long told;

  /** A cursor as it was set. */
  record Cursor(int width, int height, int x, int y, Pixels pixels) {
    void show(Display display, int connector) {
      display.setCursor(connector, width, height, x, y, pixels.argb);
    }
  }

  /** Opacity, red, green, blue. */
  static final class Pixels {
    final int[] argb;

    Pixels(int[] argb) {
      this.argb = argb.clone();
    }
  }

  /**
   * The device took a flip.
   *
   * @param point as the device says
   * @return the core's
   */
  long flipped(long point, ShownMemory frame) {
    told = point;
    shown = frame;
    return ++asked;
  }

  /**
   * The device said how far it is.
   *
   * @return the core's point
   */
  long saw(long point) {
    if (point >= told) {
      reached = asked;
    }
    return reached;
  }

  /** The device is gone: a flip that waits is not shown any more. */
  void interrupt() {
    if (reached < asked) {
      interrupted = asked;
      reached = asked;
    }
  }

  /** The next device took the flip that shows what was shown. */
  void reflipped(long point) {
    told = point;
  }

  boolean knows(long point) {
    return point > 0 && point <= asked;
  }

  boolean isReached(long point) {
    return point <= reached;
  }

  boolean isInterrupted(long point) {
    return point == interrupted;
  }
}
