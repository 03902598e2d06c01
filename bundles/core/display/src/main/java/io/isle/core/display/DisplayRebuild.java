package io.isle.core.display;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.MemoryPins;
import io.isle.api.base.Errno;
import io.isle.api.base.ForeignText;
import io.isle.api.device.DisplayConnector;
import io.isle.api.device.DpmsState;
import io.isle.api.driver.DeviceSession;
import io.isle.api.driver.Display;
import io.isle.api.driver.DriverException;
import io.isle.core.display.state.Frame;
import io.isle.core.display.state.ScreenState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Sets up the screens of a device that has just been opened as those of the opening before were.
 * What it refuses is left out: a screen that was pulled out meanwhile is no reason to give it up.
 */
final class DisplayRebuild {
  private static final System.Logger LOG = System.getLogger(DisplayRebuild.class.getName());

  /** What a session answers when its device has failed: the next opening may have it all. */
  private static final Set<Integer> TAKEN_AWAY = Set.of(Errno.EINTR, Errno.ETIMEDOUT);

  private final String deviceId;
  private final DeviceSession session;
  private final PinnedMemory memory;
  private final List<Frame> refused = new ArrayList<>();
  private final List<Frame> made = new ArrayList<>();
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
      List<Frame> refused,
      Map<Integer, ScreenState> states,
      Map<Integer, Long> flips,
      Map<Integer, Boolean> connected) {}

  DisplayRebuild(String deviceId, DeviceSession session, PinnedMemory memory) {
    this.deviceId = deviceId;
    this.session = session;
    this.memory = memory;
  }

  /**
   * @throws DriverException when the device fails, or is taken away
   */
  Outcome rebuild(List<Frame> frames, Map<Integer, ScreenState> before) {
    if (!session.has(Display.class)) {
      refused.addAll(frames);
    } else {
      // each by itself: closing a pin may be a call of the session, too
      frames.forEach(this::framebuffer);
      if (!before.isEmpty()) {
        boolean ignored = session.call(Display.class, display -> screens(display, before));
      }
    }
    return new Outcome(refused, states, flips, connected);
  }

  private void framebuffer(Frame frame) {
    boolean there = false;
    try (MemoryPins.Pin pin = memory.pin(frame)) {
      long pinned = pin.memory();
      there =
          session.call(
              Display.class,
              display -> {
                display.createFramebuffer(
                    frame.id(), pinned, frame.width(), frame.height(), frame.format());
                return true;
              });
    } catch (AccelException e) {
      if (!session.alive()) {
        throw new DriverException(Errno.ENODEV, e.getMessage(), e);
      }
      warn("a framebuffer", e.getMessage());
    } catch (DriverException e) {
      if (TAKEN_AWAY.contains(e.code())) {
        throw e;
      }
      refuse("a framebuffer", e);
    }
    (there ? made : refused).add(frame);
  }

  private boolean screens(Display display, Map<Integer, ScreenState> before) {
    before.forEach((connector, state) -> connector(display, connector, state));
    boolean ignored = accepts("the list of connectors", () -> look(display));
    return true;
  }

  private void look(Display display) {
    for (DisplayConnector connector : display.connectors()) {
      connected.put(connector.id(), connector.connected());
    }
  }

  private void connector(Display display, int connector, ScreenState before) {
    String what = "connector " + connector;
    ScreenState now = ScreenState.FRESH;
    if (before.mode().isPresent()) {
      if (!accepts(what, () -> display.setMode(connector, before.mode().get()))) {
        return;
      }
      now = now.with(before.mode().get());
      if (before.variableRefresh()
          && accepts(what, () -> display.setVariableRefresh(connector, true))) {
        now = now.withVariableRefresh(true);
      }
      if (before.cursor().isPresent()
          && accepts(what, () -> before.cursor().get().show(display, connector))) {
        now = now.withCursor(before.cursor());
      }
      Optional<Frame> shown = before.shown().filter(made::contains);
      if (shown.isPresent()
          && accepts(what, () -> flips.put(connector, display.flip(connector, shown.get().id())))) {
        now = now.showing(shown);
      }
    }
    // last, for nothing is flipped while it is not on
    if (before.dpms() != DpmsState.ON
        && accepts(what, () -> display.setDpms(connector, before.dpms()))) {
      now = now.with(before.dpms());
    }
    states.put(connector, now);
  }

  private boolean accepts(String what, Runnable call) {
    try {
      call.run();
      return true;
    } catch (DriverException e) {
      refuse(what, e);
      return false;
    }
  }

  private void refuse(String what, DriverException e) {
    if (e.code() == Errno.ENODEV || !session.alive()) {
      throw e;
    }
    warn(what, e.getMessage());
  }

  private void warn(String what, String why) {
    LOG.log(
        System.Logger.Level.WARNING,
        "{0}: {1} could not be restored: {2}",
        deviceId,
        what,
        ForeignText.line(why));
  }
}
