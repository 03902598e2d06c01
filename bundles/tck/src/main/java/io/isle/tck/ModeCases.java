package io.isle.tck;

import io.isle.api.base.Errno;
import io.isle.api.device.DisplayMode;
import io.isle.api.device.DpmsState;
import io.isle.api.device.ScanoutStatus;
import io.isle.api.driver.Display;
import java.util.List;

/** Modes, power states and refresh of a display. */
final class ModeCases {
  /** Rounding of times and rates. */
  private static final long SLACK_NS = 1000;

  private ModeCases() {}

  static List<Case> all() {
    return List.of(
        Case.of("display/set-mode", ModeCases::setMode),
        Case.of("display/foreign-mode", ModeCases::foreignMode),
        Case.of("display/mode-of-same-size", ModeCases::sameSize),
        Case.of("display/power-states", ModeCases::dpms),
        Case.of("display/variable-refresh", ModeCases::variableRefresh),
        Case.of("display/variable-refresh-flips", ModeCases::variableFlips));
  }

  private static void setMode(Rig rig) {
    Screen screen = Screen.of(rig);
    for (DisplayMode mode : screen.modes()) {
      screen.display().setMode(screen.id(), mode);
      ScanoutStatus status = screen.status();
      Check.equal(mode, status.mode().orElse(null), "the mode after " + mode);
      Check.that(screen.connector().active(), "the connector is not active in " + mode);
    }
    long frames = screen.status().frames();
    rig.until(() -> screen.status().frames() > frames, "no frame began");
  }

  private static void foreignMode(Rig rig) {
    Screen screen = Screen.of(rig);
    DisplayMode mode = screen.modes().getFirst();
    DisplayMode foreign =
        new DisplayMode(
            mode.width(),
            mode.height(),
            mode.refreshMillihertz(),
            mode.clockKilohertz() + 10,
            mode.hfp(),
            mode.hsw(),
            mode.hbp(),
            mode.vfp(),
            mode.vsw(),
            mode.vbp(),
            mode.preferred());
    Check.refused(
        "a mode that the screen lacks",
        () -> screen.display().setMode(screen.id(), foreign),
        Errno.EINVAL);
  }

  private static void sameSize(Rig rig) {
    Screen screen = Screen.of(rig);
    screen.setSmallest();
    long ignored = screen.show(screen.frame(1, 0x123456));
    screen.setSmallest();
    Check.equal(0x123456, screen.pixel(), "the pixel that is shown in a mode of the same size");
    DisplayMode other =
        screen.modes().stream()
            .filter(mode -> mode.width() != screen.smallest().width())
            .findFirst()
            .orElseThrow(() -> new Check.Skipped("all modes are of one size"));
    screen.display().setMode(screen.id(), other);
    Check.equal(0, screen.pixel(), "the pixel that is shown in a mode of another size");
  }

  private static void dpms(Rig rig) {
    Screen screen = Screen.of(rig);
    screen.setSmallest();
    long ignored = screen.show(screen.frame(1, 0x808080));
    for (DpmsState state : DpmsState.values()) {
      screen.display().setDpms(screen.id(), state);
      ScanoutStatus status = screen.status();
      boolean on = state == DpmsState.ON;
      Check.equal(state, status.dpms(), "the power state");
      Check.equal(on, status.nextNs() != 0, "the presence of frames in " + state);
      Check.equal(on ? 0x808080 : 0, screen.pixel(), "the pixel that is shown in " + state);
    }
  }

  private static void variableRefresh(Rig rig) {
    Display display = Screen.display(rig);
    int ranges = 0;
    for (Screen screen : Screen.all(rig)) {
      Check.refused(
          "variable refresh without a mode",
          () -> display.setVariableRefresh(screen.id(), true),
          Errno.EINVAL,
          Errno.ENOTSUP);
      screen.setSmallest();
      ScanoutStatus before = screen.status();
      if (before.vrrMaxMillihertz() == 0) {
        Check.refused(
            "variable refresh of a screen of fixed rates",
            () -> display.setVariableRefresh(screen.id(), true),
            Errno.ENOTSUP);
        continue;
      }
      ranges++;
      display.setVariableRefresh(screen.id(), true);
      Check.that(screen.status().vrr(), "variable refresh is not on");
      display.setVariableRefresh(screen.id(), false);
      Check.that(!screen.status().vrr(), "variable refresh is not off");
    }
    Check.needs(ranges > 0, "no screen has a range of refresh rates");
  }

  /** A frame lasts as long as the mode says at least. */
  private static void variableFlips(Rig rig) {
    Screen screen =
        Screen.all(rig).stream()
            .filter(one -> one.status().vrrMaxMillihertz() != 0)
            .findFirst()
            .orElseThrow(() -> new Check.Skipped("no screen has a range of refresh rates"));
    screen.setSmallest();
    screen.display().setVariableRefresh(screen.id(), true);
    long shortestNs = 1_000_000_000_000L / screen.smallest().refreshMillihertz();
    Screen.Frame frame = screen.frame(1, 0x202020);
    long last = 0;
    for (int i = 0; i < 6; i++) {
      long ignored = screen.flip(frame);
      rig.until(() -> !screen.status().pending(), "a flip is not shown");
      long now = screen.status().flipNs();
      Check.that(
          now - last >= shortestNs - SLACK_NS,
          "a flip is shown " + (now - last) + " ns after the last, not " + shortestNs);
      last = now;
    }
  }
}
