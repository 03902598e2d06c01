package io.isle.core.display;

import io.isle.api.accel.AccelException;
import io.isle.api.device.DisplayConnector;
import io.isle.api.device.DisplayMode;
import io.isle.api.device.DpmsState;
import io.isle.api.device.ScanoutStatus;
import io.isle.api.display.DisplayInfo;
import io.isle.api.display.Picture;
import io.isle.api.driver.DeviceSession;
import io.isle.api.driver.Display;
import io.isle.api.driver.Scanout;
import io.isle.core.display.state.ScreenState;
import io.isle.lib.ids.IdPool;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** The screens of one device, which outlive its openings. Thread-safe. */
final class DeviceDisplay {
  private final String deviceId;
  private final Gate gate;
  private final SessionCalls calls;
  private final DeviceScreens screens = new DeviceScreens();
  private final Opening opening = new Opening();
  private final DeviceFramebuffers framebuffers;
  private final DeviceSetup setup;

  /**
   * @param ids of framebuffers, of all devices
   * @param absent says why the device is not open
   */
  DeviceDisplay(
      String deviceId,
      Gate gate,
      PinnedMemory memory,
      IdPool ids,
      Supplier<AccelException> absent) {
    this.deviceId = deviceId;
    this.gate = gate;
    this.calls = new SessionCalls(deviceId, gate, opening, absent);
    DeviceFrames frames = new DeviceFrames(ids);
    this.framebuffers = new DeviceFramebuffers(calls, memory, frames, screens);
    this.setup = new DeviceSetup(deviceId, memory, opening, frames, screens);
  }

  /** What openings of the device are told. */
  DeviceSetup setup() {
    return setup;
  }

  /** What can be shown. */
  DeviceFramebuffers framebuffers() {
    return framebuffers;
  }

  /** Whether the device is open, as far as is known here. */
  boolean isOpen() {
    return opening.isAlive();
  }

  private <T> T call(String what, Function<Display, T> function) {
    return calls.with(session -> calls.call(session, what, Display.class, function));
  }

  /** Every connector; none for a device without a display. */
  List<DisplayInfo> infos() {
    return calls.with(session -> session.has(Display.class) ? infos(session) : List.of());
  }

  private List<DisplayInfo> infos(DeviceSession session) {
    List<DisplayConnector> all =
        calls.call(
            session, "connectors", Display.class, display -> List.copyOf(display.connectors()));
    Map<Integer, ScanoutStatus> statuses = new HashMap<>();
    if (session.has(Scanout.class)) {
      boolean ignored =
          calls.call(
              session,
              "status",
              Scanout.class,
              scanout -> {
                all.forEach(one -> statuses.put(one.id(), status(session, scanout, one.id())));
                return true;
              });
    }
    return all.stream()
        .map(one -> new DisplayInfo(deviceId, one, Optional.ofNullable(statuses.get(one.id()))))
        .toList();
  }

  /** Within the call, so that what is kept follows the order in which the driver is called. */
  private ScanoutStatus status(DeviceSession session, Scanout scanout, int connector) {
    ScanoutStatus told = scanout.status(connector);
    return calls.keep(session, "status", () -> screens.saw(connector, told));
  }

  List<DisplayConnector> connectors() {
    return call("connectors", Display::connectors);
  }

  byte[] edid(int connector) {
    return call("edid", display -> display.edid(connector));
  }

  List<DisplayMode> modes(int connector) {
    return call("modes", display -> display.modes(connector));
  }

  ScanoutStatus status(int connector) {
    return calls.with(
        session ->
            calls.call(
                session, "status", Scanout.class, scanout -> status(session, scanout, connector)));
  }

  void setMode(int connector, DisplayMode mode) {
    change("mode", connector, display -> display.setMode(connector, mode), s -> s.with(mode));
  }

  void setDpms(int connector, DpmsState state) {
    change("dpms", connector, display -> display.setDpms(connector, state), s -> s.with(state));
  }

  void setVariableRefresh(int connector, boolean enabled) {
    change(
        "variable refresh",
        connector,
        display -> display.setVariableRefresh(connector, enabled),
        state -> state.withVariableRefresh(enabled));
  }

  void setCursor(int connector, ScreenState.Cursor cursor) {
    change(
        "cursor",
        connector,
        display -> cursor.show(display, connector),
        state -> state.withCursor(Optional.of(cursor)));
  }

  void hideCursor(int connector) {
    change(
        "cursor",
        connector,
        display -> display.hideCursor(connector),
        state -> state.withCursor(Optional.empty()));
  }

  private void change(
      String what, int connector, Consumer<Display> asked, UnaryOperator<ScreenState> kept) {
    boolean ignored =
        calls.with(
            session -> {
              calls.run(
                  session,
                  what,
                  display -> {
                    asked.accept(display);
                    calls.change(session, what, () -> screens.changed(connector, kept));
                  });
              return true;
            });
  }

  /** How a flip ended, as {@link ScreenAwaiting} returns it; empty while it waits. */
  OptionalInt outcome(int connector, long point) {
    return screens.outcome(connector, point);
  }

  /** Sleeps; until the bundle stops at the longest. */
  void pause(long ns) throws InterruptedException {
    gate.pause(ns);
  }

  Picture capture(int connector) {
    DeviceSession begun = calls.with(session -> session);
    Picture read =
        ScreenCapture.read(
            deviceId,
            (first, count) ->
                calls.with(
                    session ->
                        calls.call(
                            begun,
                            "capture",
                            Scanout.class,
                            scanout -> scanout.read(connector, first, count))),
            System::nanoTime);
    return calls.with(
        session ->
            read.at(calls.keep(begun, "capture", () -> screens.saw(connector, read.point()))));
  }
}
