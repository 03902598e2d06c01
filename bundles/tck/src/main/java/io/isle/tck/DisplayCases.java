package io.isle.tck;

import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.device.DisplayConnector;
import io.isle.api.device.DisplayMode;
import io.isle.api.device.DpmsState;
import io.isle.api.device.PixelFormat;
import io.isle.api.device.ScanoutStatus;
import io.isle.api.driver.Display;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.FaultInjection.Fault;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Connectors, modes, flips and what is shown, of drivers with a display. */
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
        Case.of("display/set-mode", DisplayCases::setMode),
        Case.of("display/foreign-mode", DisplayCases::foreignMode),
        Case.of("display/framebuffer-size", DisplayCases::framebufferSize),
        Case.of("display/flip", DisplayCases::flip),
        Case.of("display/flip-pending", DisplayCases::pending),
        Case.of("display/flip-refused", DisplayCases::refused),
        Case.of("display/freed-memory", DisplayCases::freed),
        Case.of("display/power-states", DisplayCases::dpms),
        Case.of("display/variable-refresh", DisplayCases::variableRefresh),
        Case.of("display/cursor", DisplayCases::cursor),
        Case.withFaults("display/hotplug", DisplayCases::hotplug));
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
    Check.refused("an unknown connector", () -> display.modes(UNKNOWN), Errno.ENOENT);
    Check.refused("an unknown connector", () -> display.connected(UNKNOWN), Errno.ENOENT);
  }

  private static void modes(Rig rig) {
    Display display = Screen.display(rig);
    for (DisplayConnector connector : display.connectors()) {
      List<DisplayMode> modes = display.modes(connector.id());
      Check.equal(connector.connected(), !modes.isEmpty(), "whether " + connector + " has modes");
      for (DisplayMode mode : modes) {
        double exact = 1e6 * mode.clockKilohertz() / mode.totalPixels();
        Check.that(
            Math.abs(exact - mode.refreshMillihertz()) <= ROUNDING,
            mode + " has " + exact + " mHz by its clock and its totals");
      }
      long preferred = modes.stream().filter(DisplayMode::preferred).count();
      Check.that(preferred <= 1, connector + " prefers " + preferred + " modes");
    }
  }

  private static void edid(Rig rig) {
    Screen screen = Screen.of(rig);
    byte[] edid = screen.display().edid(screen.id());
    Check.that(
        edid.length >= 128 && edid.length % 128 == 0, "the EDID has " + edid.length + " bytes");
    int sum = 0;
    for (int i = 0; i < 128; i++) {
      sum += edid[i];
      int header = i == 0 || i == 7 ? 0 : 0xff;
      Check.that(i > 7 || (edid[i] & 0xff) == header, "byte " + i + " of the EDID's header");
    }
    Check.equal(0, sum & 0xff, "the sum of the EDID's first block");
    int clock = ((edid[54] & 0xff) | (edid[55] & 0xff) << 8) * 10;
    int width = (edid[56] & 0xff) | (edid[58] & 0xf0) << 4;
    int height = (edid[59] & 0xff) | (edid[61] & 0xf0) << 4;
    Check.that(
        screen.modes().stream()
            .anyMatch(
                mode ->
                    mode.preferred()
                        && mode.width() == width
                        && mode.height() == height
                        && Math.abs(mode.clockKilohertz() - clock) <= 10),
        "the EDID prefers " + width + " x " + height + " at " + clock + " kHz, the modes do not");
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

  private static void framebufferSize(Rig rig) {
    Display display = Screen.display(rig);
    Rig.Memory memory = rig.memory(rig.context(), 8192);
    int fits = (int) (memory.size() / 4);
    display.createFramebuffer(frame(1), memory.id(), fits, 1, PixelFormat.XRGB8888);
    Check.refused(
        "a framebuffer larger than its memory",
        () -> display.createFramebuffer(frame(2), memory.id(), fits + 1, 1, PixelFormat.XRGB8888),
        Errno.EINVAL);
    Check.refused(
        "a framebuffer of unknown memory",
        () -> display.createFramebuffer(frame(3), rig.newMemoryId(), 1, 1, PixelFormat.XRGB8888),
        Errno.ENOENT,
        Errno.ESTALE);
  }

  private static void flip(Rig rig) {
    Screen screen = Screen.of(rig);
    screen.setSmallest();
    Screen.Frame red = screen.frame(1, 0xff0000);
    Screen.Frame blue = screen.frame(2, 0x0000ff);
    long last = screen.show(red);
    Check.equal(0xff0000, screen.pixel(), "the pixel that is shown");
    for (Screen.Frame next : List.of(blue, red, blue)) {
      long point = screen.show(next);
      Check.that(point > last, "point " + point + " follows point " + last);
      last = point;
      Check.equal(next.rgb(), screen.pixel(), "the pixel that is shown");
    }
  }

  private static void pending(Rig rig) {
    Screen screen = Screen.of(rig);
    screen.setSmallest();
    Screen.Frame frame = screen.frame(1, 0x00ff00);
    // between the two flips a frame may have begun; not each time
    for (int attempt = 0; attempt < 50; attempt++) {
      rig.until(() -> !screen.status().pending(), "a flip is not shown");
      long ignored = screen.flip(frame);
      try {
        ignored = screen.flip(frame);
      } catch (DriverException e) {
        Check.equal(Errno.EBUSY, e.code(), "the code of a flip while one waits");
        return;
      }
    }
    throw new Check.Broken("a flip while one waits is not refused");
  }

  private static void refused(Rig rig) {
    Screen screen = Screen.of(rig);
    DisplayMode smallest = screen.smallest();
    Screen.Frame frame = screen.frame(1, 0xffffff);
    Check.refused("a flip without a mode", () -> screen.flip(frame), Errno.EINVAL);
    screen.display().setMode(screen.id(), smallest);
    Check.refused(
        "an unknown framebuffer",
        () -> screen.display().flip(screen.id(), frame(77)),
        Errno.ESTALE,
        Errno.ENOENT);
    screen
        .display()
        .createFramebuffer(
            frame(2),
            frame.memory().id(),
            smallest.width(),
            smallest.height() - 1,
            PixelFormat.XRGB8888);
    Check.refused(
        "a flip of another size", () -> screen.display().flip(screen.id(), frame(2)), Errno.EINVAL);
    screen.display().setDpms(screen.id(), DpmsState.OFF);
    Check.refused("a flip while the screen is off", () -> screen.flip(frame), Errno.EPERM);
  }

  private static void freed(Rig rig) {
    Screen screen = Screen.of(rig);
    screen.setSmallest();
    Screen.Frame frame = screen.frame(1, 0x00ff00);
    long ignored = screen.show(frame);
    rig.device().free(frame.memory().id());
    Check.equal(0, screen.pixel(), "the pixel that is shown when its memory is gone");
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
      Check.equal(on, status.nextNs() != 0, "whether there are frames in " + state);
      Check.equal(on ? 0x808080 : 0, screen.pixel(), "the pixel that is shown in " + state);
    }
  }

  private static void variableRefresh(Rig rig) {
    Display display = Screen.display(rig);
    int ranges = 0;
    for (Screen screen : Screen.all(rig)) {
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

  private static void cursor(Rig rig) {
    Screen screen = Screen.of(rig);
    screen.setSmallest();
    long ignored = screen.show(screen.frame(1, 0x101010));
    try {
      screen.display().setCursor(screen.id(), 1, 1, 0, 0, new int[] {0xff00ff00});
    } catch (DriverException e) {
      Check.equal(Errno.ENOTSUP, e.code(), "the code of setCursor");
      throw new Check.Skipped("no cursor");
    }
    Check.equal(0x00ff00, screen.pixel(), "the pixel under the cursor");
    screen.display().hideCursor(screen.id());
    Check.equal(0x101010, screen.pixel(), "the pixel where the cursor was");
  }

  private static void hotplug(Rig rig) {
    Screen screen = Screen.of(rig);
    screen.setSmallest();
    int before = screen.status().hotplugs();
    long point = screen.flip(screen.frame(1, 0xffffff));
    try {
      rig.faults().inject(Fault.HOTPLUG, 0, 1, screen.id());
    } catch (DriverException e) {
      Check.equal(Errno.EINVAL, e.code(), "the code of a planned hotplug");
      throw new Check.Skipped("no planned hotplug");
    }
    Check.that(!screen.connector().connected(), "the screen is still plugged in");
    ScanoutStatus status = screen.status();
    Check.equal(1, status.hotplugs() - before, "the growth of hotplugs");
    Check.that(status.point() >= point, "the flip that waited is not signalled");
    Check.that(!screen.connector().active(), "the connector is still active");
    Check.refused("an EDID of nothing", () -> screen.display().edid(screen.id()), Errno.ENXIO);
    rig.faults().inject(Fault.HOTPLUG, 0, 1, screen.id());
    Check.that(screen.connector().connected(), "the screen is not plugged in again");
  }

  static long frame(int index) {
    return Ids.of(Ids.FRAMEBUFFER, 1, index);
  }
}
