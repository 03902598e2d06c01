package io.isle.core.accel.display;

import io.isle.api.device.DisplayMode;
import io.isle.api.device.DpmsState;
import io.isle.api.device.ScanoutStatus;
import io.isle.api.driver.Display;
import java.util.Optional;

/** How one connector is set, for the next device to be set alike. Immutable. */
public record ScreenState(
    Optional<DisplayMode> mode,
    DpmsState dpms,
    boolean variableRefresh,
    Optional<Cursor> cursor,
    Optional<ShownMemory> shown) {
  /** As a device has it that nobody has used. */
  static final ScreenState FRESH =
      new ScreenState(Optional.empty(), DpmsState.ON, false, Optional.empty(), Optional.empty());

  /** A cursor as it was set. */
  public record Cursor(int width, int height, int x, int y, Pixels pixels) {
    void show(Display display, int connector) {
      display.setCursor(connector, width, height, x, y, pixels.argb);
    }

    boolean isOn(DisplayMode mode) {
      return x < mode.width() && y < mode.height();
    }
  }

  /** Opacity, red, green, blue. */
  public static final class Pixels {
    private final int[] argb;

    public Pixels(int[] argb) {
      this.argb = argb.clone();
    }
  }

  /** What does not fit on the new mode is not shown any more. */
  ScreenState with(DisplayMode newMode) {
    return new ScreenState(
        Optional.of(newMode),
        dpms,
        variableRefresh,
        cursor.filter(at -> at.isOn(newMode)),
        shown.filter(frame -> frame.fits(newMode)));
  }

  ScreenState with(DpmsState newDpms) {
    return new ScreenState(mode, newDpms, variableRefresh, cursor, shown);
  }

  ScreenState withVariableRefresh(boolean enabled) {
    return new ScreenState(mode, dpms, enabled, cursor, shown);
  }

  ScreenState withCursor(Optional<Cursor> newCursor) {
    return new ScreenState(mode, dpms, variableRefresh, newCursor, shown);
  }

  ScreenState showing(Optional<ShownMemory> frame) {
    return new ScreenState(mode, dpms, variableRefresh, cursor, frame);
  }

  /** As the device says it is: a screen that was pulled out has taken its mode along. */
  ScreenState as(ScanoutStatus told) {
    return new ScreenState(
        told.mode(),
        told.dpms(),
        told.vrr(),
        cursor.filter(at -> told.cursor()),
        shown.filter(frame -> told.mode().filter(frame::fits).isPresent()));
  }
}
