package io.isle.core.display.state;

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
    Optional<Frame> shown) {
  /** As a device has it that nobody has used. */
  public static final ScreenState FRESH =
      new ScreenState(Optional.empty(), DpmsState.ON, false, Optional.empty(), Optional.empty());

  /** A cursor as it was set. */
  public record Cursor(int width, int height, int x, int y, Pixels pixels) {
    public void show(Display display, int connector) {
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

    int[] argb() {
      return argb.clone();
    }
  }

  /** What does not fit on the new mode is not shown any more. */
  public ScreenState with(DisplayMode newMode) {
    return new ScreenState(
        Optional.of(newMode),
        dpms,
        variableRefresh,
        cursor.filter(at -> at.isOn(newMode)),
        shown.filter(frame -> frame.fits(newMode)));
  }

  public ScreenState with(DpmsState newDpms) {
    return new ScreenState(mode, newDpms, variableRefresh, cursor, shown);
  }

  public ScreenState withVariableRefresh(boolean enabled) {
    return new ScreenState(mode, dpms, enabled, cursor, shown);
  }

  public ScreenState withCursor(Optional<Cursor> newCursor) {
    return new ScreenState(mode, dpms, variableRefresh, newCursor, shown);
  }

  public ScreenState showing(Optional<Frame> frame) {
    return new ScreenState(mode, dpms, variableRefresh, cursor, frame);
  }

  /** As the device says it is: a screen that was pulled out has taken its mode along. */
  public ScreenState as(ScanoutStatus told) {
    return new ScreenState(
        told.mode(),
        told.dpms(),
        told.vrr(),
        cursor.filter(at -> told.cursor()),
        shown.filter(frame -> told.mode().filter(frame::fits).isPresent()));
  }
}
