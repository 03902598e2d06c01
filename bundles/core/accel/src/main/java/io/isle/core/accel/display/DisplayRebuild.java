package io.isle.core.accel.display;

import io.isle.api.base.Errno;
import io.isle.api.device.DisplayConnector;
import io.isle.api.device.DpmsState;
import io.isle.api.driver.Display;
import io.isle.api.driver.DriverException;
import io.isle.core.accel.device.DriverText;
import io.isle.core.accel.device.OpenDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Sets up the screens of a device that has just been opened as those of the one before were. What
 * it refuses is left out: a screen that was pulled out meanwhile is no reason to give it up.
 * Control lane.
 */
final class DisplayRebuild {
  private static final System.Logger LOG = System.getLogger(DisplayRebuild.class.getName());

  private final String deviceId;
  private final OpenDevice opened;
  private final List<ShownMemory> refused = new ArrayList<>();
  private final Map<Integer, ScreenState> states = new TreeMap<>();
  private final Map<Integer, Long> flips = new TreeMap<>();
  private final Map<Integer, Boolean> connected = new TreeMap<>();

  /**
   * What the device has.
   *
   * @param refused framebuffers that it does not have
   * @param states how connectors are set; those that are missing are as they were opened
   * @param flips by connector, the device's point of the flip that shows what was shown
   * @param connected by connector, whether a screen is plugged in, as far as it tells
   */
  record Outcome(
      List<ShownMemory> refused,
      Map<Integer, ScreenState> states,
      Map<Integer, Long> flips,
      Map<Integer, Boolean> connected) {}

  DisplayRebuild(String deviceId, OpenDevice opened) {
    this.deviceId = deviceId;
    this.opened = opened;
  }

  /**
   * @throws DriverException when the device fails
   */
  Outcome rebuild(List<ShownMemory> frames, Map<Integer, ScreenState> before) {
    Optional<Display> display = opened.device().extension(Display.class);
    if (display.isEmpty()) {
      refused.addAll(frames);
    } else {
      frames.forEach(frame -> framebuffer(display.get(), frame));
      if (!before.isEmpty()) {
        before.forEach((connector, state) -> connector(display.get(), connector, state));
        boolean ignored = accepts("the list of connectors", () -> look(display.get()));
      }
    }
    return new Outcome(refused, states, flips, connected);
  }

  private void framebuffer(Display display, ShownMemory frame) {
    if (!accepts(
        "a framebuffer",
        () ->
            display.createFramebuffer(
                frame.id(), frame.memory().id, frame.width(), frame.height(), frame.format()))) {
      refused.add(frame);
    }
  }

  private void look(Display display) {
    for (DisplayConnector connector : display.connectors()) {
      connected.put(connector.id(), connector.connected());
    }
  }

  private void connector(Display display, int connector, ScreenState before) {
    String what = "connector " + connector;
    ScreenState made = ScreenState.FRESH;
    if (before.mode().isPresent()) {
      if (!accepts(what, () -> display.setMode(connector, before.mode().get()))) {
        return;
      }
      made = made.with(before.mode().get());
      if (before.variableRefresh()
          && accepts(what, () -> display.setVariableRefresh(connector, true))) {
        made = made.withVariableRefresh(true);
      }
      if (before.cursor().isPresent()
          && accepts(what, () -> before.cursor().get().show(display, connector))) {
        made = made.withCursor(before.cursor());
      }
      Optional<ShownMemory> shown =
          before.shown().filter(frame -> !frame.isGone() && !refused.contains(frame));
      if (shown.isPresent()
          && accepts(what, () -> flips.put(connector, display.flip(connector, shown.get().id())))) {
        made = made.showing(shown);
      }
    }
    // last, for nothing is flipped while it is not on
    if (before.dpms() != DpmsState.ON
        && accepts(what, () -> display.setDpms(connector, before.dpms()))) {
      made = made.with(before.dpms());
    }
    states.put(connector, made);
  }

  private boolean accepts(String what, Runnable call) {
    try {
      call.run();
      return true;
    } catch (DriverException e) {
      if (e.code() == Errno.ENODEV || !opened.device().alive()) {
        throw e;
      }
      LOG.log(
          System.Logger.Level.WARNING,
          "{0}: {1} is not as it was: {2}",
          deviceId,
          what,
          DriverText.line(e.getMessage()));
      return false;
    }
  }
}
