package io.isle.tck;

import io.isle.api.base.Errno;
import io.isle.api.device.DisplayConnector;
import io.isle.api.device.DisplayMode;
import io.isle.api.device.DpmsState;
import io.isle.api.device.ScanoutStatus;
import io.isle.api.driver.Display;
import io.isle.lib.edid.Edid;
import io.isle.lib.edid.EdidException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What connectors of a display are, and what is plugged into them. */
final class DisplayCases {
  private static final int UNKNOWN = 9999;

  /** Millihertz that rounding may take or give. */
  private static final int ROUNDING = 1;

  private DisplayCases() {}

  static List<Case> all() {
    return List.of(
        Case.of("display/connectors", DisplayCases::connectors),
        Case.of("display/modes", DisplayCases::modes),
        Case.of("display/edid", DisplayCases::edid),
        Case.of("display/unknown-connector", DisplayCases::unknown),
        Case.withFaults("display/hotplug", DisplayCases::hotplug),
        Case.withFaults("display/unplugged", DisplayCases::unplugged));
  }

  private static void connectors(Rig rig) {
    Display display = Screen.display(rig);
    Set<Integer> ids = new HashSet<>();
    for (DisplayConnector connector : display.connectors()) {
      Check.that(ids.add(connector.id()), "two connectors have the id " + connector.id());
      Check.that(
          connector.connected() || !connector.active(), connector + " is active and unplugged");
      Check.equal(
          connector.connected(), display.connected(connector.id()), "connected of " + connector);
    }
  }

  private static void modes(Rig rig) {
    Display display = Screen.display(rig);
    for (DisplayConnector connector : display.connectors()) {
      List<DisplayMode> modes = display.modes(connector.id());
      Check.equal(connector.connected(), !modes.isEmpty(), "the presence of modes at " + connector);
      for (DisplayMode mode : modes) {
        double exact = 1e6 * mode.clockKilohertz() / mode.totalPixels();
        Check.that(
            Math.abs(exact - mode.refreshMillihertz()) <= ROUNDING,
            mode + " has " + exact + " mHz by its clock and its totals");
        Check.that(
            (connector.maxWidth() == 0 || mode.width() <= connector.maxWidth())
                && (connector.maxHeight() == 0 || mode.height() <= connector.maxHeight()),
            mode + " is larger than " + connector + " says");
      }
      long preferred = modes.stream().filter(DisplayMode::preferred).count();
      Check.that(preferred <= 1, connector + " prefers " + preferred + " modes");
    }
  }

  private static void edid(Rig rig) {
    Screen screen = Screen.of(rig);
    Edid edid;
    try {
      edid = Edid.of(screen.display().edid(screen.id()));
    } catch (EdidException e) {
      throw new Check.Broken(e.getMessage());
    }
    Check.that(!edid.timings().isEmpty(), "the EDID describes no mode");
    Edid.Timing said = edid.timings().getFirst();
    Check.that(
        screen.modes().stream()
            .anyMatch(
                mode ->
                    mode.preferred()
                        && mode.width() == said.width()
                        && mode.height() == said.height()
                        && Math.abs(mode.clockKilohertz() - said.clockKilohertz()) <= 10),
        "the EDID prefers " + said + ", the modes do not");
  }

  private static void unknown(Rig rig) {
    Screen screen = Screen.of(rig);
    Display display = screen.display();
    DisplayMode mode = screen.smallest();
    Screen.Frame frame = screen.frame(1, 0);
    Map<String, Runnable> calls =
        Map.of(
            "modes", () -> display.modes(UNKNOWN),
            "setMode", () -> display.setMode(UNKNOWN, mode),
            "flip", () -> display.flip(UNKNOWN, frame.id()),
            "setDpms", () -> display.setDpms(UNKNOWN, DpmsState.OFF),
            "connected", () -> display.connected(UNKNOWN),
            "edid", () -> display.edid(UNKNOWN),
            "status", () -> screen.scanout().status(UNKNOWN),
            "read", () -> screen.scanout().read(UNKNOWN, 0, 1));
    calls.forEach(
        (name, call) -> Check.refused(name + " of an unknown connector", call, Errno.ENOENT));
  }

  private static void hotplug(Rig rig) {
    Screen screen = Screen.of(rig);
    screen.setSmallest();
    int before = screen.status().hotplugs();
    long point = screen.flip(screen.frame(1, 0xffffff));
    screen.plug();
    Check.that(!screen.connector().connected(), "the screen is still plugged in");
    ScanoutStatus status = screen.status();
    Check.equal(1, status.hotplugs() - before, "the growth of hotplugs");
    Check.that(status.point() >= point, "the flip that waited is not signalled");
    Check.that(!screen.connector().active(), "the connector is still active");
    screen.plug();
    Check.that(screen.connector().connected(), "the screen is not plugged in again");
  }

  private static void unplugged(Rig rig) {
    Screen screen = Screen.of(rig);
    Display display = screen.display();
    DisplayMode mode = screen.smallest();
    Screen.Frame frame = screen.frame(1, 0xffffff);
    screen.setSmallest();
    display.setDpms(screen.id(), DpmsState.STANDBY);
    screen.plug();
    Map<String, Runnable> calls =
        Map.of(
            "a mode", () -> display.setMode(screen.id(), mode),
            "a flip", () -> screen.flip(frame),
            "a power state", () -> display.setDpms(screen.id(), DpmsState.OFF),
            "an EDID", () -> display.edid(screen.id()));
    calls.forEach(
        (name, call) -> Check.refused(name + " while nothing is plugged in", call, Errno.ENXIO));
    screen.plug();
    ScanoutStatus status = screen.status();
    Check.that(status.mode().isEmpty(), "the mode before is still set");
    Check.equal(DpmsState.ON, status.dpms(), "the power state of a screen that was plugged in");
  }
}
