package io.isle.tck;

import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.device.DisplayConnector;
import io.isle.api.device.DisplayMode;
import io.isle.api.device.PixelFormat;
import io.isle.api.device.ScanoutStatus;
import io.isle.api.driver.Display;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.FaultInjection.Fault;
import io.isle.api.driver.Scanout;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Comparator;
import java.util.List;

/** A connector with a screen, as cases use it. */
record Screen(Rig rig, Display display, Scanout scanout, int id) {
  private static final ValueLayout.OfInt PIXEL =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** A framebuffer of one colour. */
  record Frame(long id, Rig.Memory memory, int rgb) {}

  /** The core's id of a framebuffer. */
  static long frameId(int index) {
    return Ids.of(Ids.FRAMEBUFFER, 1, index);
  }

  static Display display(Rig rig) {
    return rig.device().extension(Display.class).orElseThrow(() -> new Check.Skipped("no display"));
  }

  /** All that a screen is plugged into. */
  static List<Screen> all(Rig rig) {
    Display display = display(rig);
    Scanout scanout =
        rig.device()
            .extension(Scanout.class)
            .orElseThrow(
                () -> new Check.Skipped("the driver cannot read back the screen's picture"));
    return display.connectors().stream()
        .filter(DisplayConnector::connected)
        .map(connector -> new Screen(rig, display, scanout, connector.id()))
        .toList();
  }

  static Screen of(Rig rig) {
    return all(rig).stream()
        .findFirst()
        .orElseThrow(() -> new Check.Skipped("no screen is plugged in"));
  }

  List<DisplayMode> modes() {
    return display.modes(id);
  }

  DisplayMode smallest() {
    return modes().stream()
        .min(Comparator.comparingInt(mode -> mode.width() * mode.height()))
        .orElseThrow(() -> new Check.Broken("connector " + id + " has no modes"));
  }

  void setSmallest() {
    display.setMode(id, smallest());
  }

  DisplayConnector connector() {
    return display.connectors().stream()
        .filter(connector -> connector.id() == id)
        .findFirst()
        .orElseThrow(() -> new Check.Broken("connector " + id + " is gone"));
  }

  ScanoutStatus status() {
    return scanout.status(id);
  }

  /** One of the smallest mode's size, all of one colour, in memory of its own. */
  Frame frame(int index, int rgb) {
    DisplayMode mode = smallest();
    int pixels = mode.width() * mode.height();
    Rig.Memory memory = rig.memory(rig.context(), 4L * pixels);
    for (int i = 0; i < pixels; i++) {
      memory.cpu().setAtIndex(PIXEL, i, rgb);
    }
    long frame = frameId(index);
    display.createFramebuffer(
        frame, memory.id(), mode.width(), mode.height(), PixelFormat.XRGB8888);
    return new Frame(frame, memory, rgb);
  }

  /**
   * Pulls the cable out, or plugs it in.
   *
   * @throws Check.Skipped where that cannot be planned
   */
  void plug() {
    try {
      rig.faults().inject(Fault.HOTPLUG, 0, 1, id);
    } catch (DriverException e) {
      Check.equal(Errno.EINVAL, e.code(), "the code of a planned hotplug");
      throw new Check.Skipped("no planned hotplug");
    }
  }

  long flip(Frame frame) {
    return display.flip(id, frame.id());
  }

  /** Flips and waits until it is shown. */
  long show(Frame frame) {
    long point = flip(frame);
    rig.until(() -> status().point() >= point, "flip " + point + " is not shown");
    return point;
  }

  /** The upper left one, as the screen shows it. */
  int pixel() {
    return scanout.read(id, 0, 1).pixels().get(PIXEL, 0);
  }
}
