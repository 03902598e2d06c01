package io.isle.core.accel;

import io.isle.api.driver.Display;
import io.isle.api.driver.DriverException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Sets up the screens of a device that has just been opened as those of the one before were. What
 * it refuses is left out: a screen that was pulled out meanwhile is no reason to give it up.
 * Control lane.
 */
final class DisplayRebuild {
  private static final System.Logger LOG = System.getLogger(DisplayRebuild.class.getName());

  private final String deviceId;
  private final OpenDevice opened;

  DisplayRebuild(String deviceId, OpenDevice opened) {
    this.deviceId = deviceId;
    this.opened = opened;
  }

  /**
   * @return the framebuffers that it does not have
   * @throws DriverException when the device fails
   */
  List<ShownMemory> rebuild(List<ShownMemory> frames, Map<Integer, ScreenHead> heads) {
    Optional<Display> display = opened.device().extension(Display.class);
    List<ShownMemory> refused = new ArrayList<>();
    for (ShownMemory frame : frames) {
      boolean made =
          display.isPresent()
              && accepts(
                  "a framebuffer",
                  () ->
                      display
                          .get()
                          .createFramebuffer(
                              frame.id(),
                              frame.memory().id,
                              frame.width(),
                              frame.height(),
                              frame.format()));
      if (!made) {
        refused.add(frame);
      }
    }
    display.ifPresent(
        screens -> heads.forEach((connector, head) -> head(screens, connector, head)));
    return refused;
  }

  private void head(Display display, int connector, ScreenHead head) {
    String what = "connector " + connector;
    if (head.mode == null || !accepts(what, () -> display.setMode(connector, head.mode))) {
      return;
    }
    if (head.variableRefresh) {
      boolean ignored = accepts(what, () -> display.setVariableRefresh(connector, true));
    }
    ScreenHead.Cursor cursor = head.cursor;
    if (cursor != null) {
      boolean ignored = accepts(what, () -> cursor.show(display, connector));
    }
    if (head.shown != null && !head.shown.isGone()) {
      boolean ignored =
          accepts(what, () -> head.reflipped(display.flip(connector, head.shown.id())));
    }
    boolean ignored = accepts(what, () -> display.setDpms(connector, head.dpms));
  }

  private boolean accepts(String what, Runnable call) {
    try {
      call.run();
      return true;
    } catch (DriverException e) {
      if (!opened.device().alive()) {
        throw e;
      }
      LOG.log(
          System.Logger.Level.WARNING,
          "{0}: {1} is not as it was: {2}",
          deviceId,
          what,
          e.getMessage());
      return false;
    }
  }
}
