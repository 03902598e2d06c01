package io.isle.core.accel.display;

import io.isle.api.accel.AccelAdmin.DisplayInfo;
import io.isle.api.accel.AccelException;
import io.isle.api.accel.Picture;
import io.isle.api.base.Errno;
import io.isle.api.device.DisplayConnector;
import io.isle.api.device.DisplayMode;
import io.isle.api.device.DpmsState;
import io.isle.api.device.PixelFormat;
import io.isle.api.device.ScanoutStatus;
import io.isle.api.driver.Display;
import io.isle.api.driver.Scanout;
import io.isle.core.accel.device.Occupancy;
import io.isle.core.accel.device.OpenDevice;
import io.isle.core.accel.ids.IdPool;
import io.isle.core.accel.memory.DeviceMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** The screens of one place, which outlive its devices. Thread-safe. */
public final class PlaceDisplay {
  private final String deviceId;
  private final Occupancy occupancy;
  private final PlaceFrames frames;
  private final PlaceScreens screens = new PlaceScreens();

  public PlaceDisplay(String deviceId, Occupancy occupancy, IdPool ids) {
    this.deviceId = deviceId;
    this.occupancy = occupancy;
    this.frames = new PlaceFrames(ids);
  }

  /** Something that is done on the control lane. */
  public interface Call<T> {
    T on(OpenDevice open, Display display);
  }

  /**
   * @throws AccelException ENOTSUP for a device without a display
   */
  public <T> T call(String what, Call<T> call) {
    OpenDevice open = occupancy.device();
    return open.lane().call(what, () -> call.on(open, of(open)));
  }

  /** Every connector; none for a device without a display. */
  public List<DisplayInfo> infos() {
    OpenDevice open = occupancy.device();
    return open.lane()
        .call(
            "connectors",
            () ->
                open.device()
                    .extension(Display.class)
                    .map(display -> infos(open, display))
                    .orElse(List.of()));
  }

  private List<DisplayInfo> infos(OpenDevice open, Display display) {
    Optional<Scanout> scanout = open.device().extension(Scanout.class);
    List<DisplayInfo> all = new ArrayList<>();
    for (DisplayConnector connector : display.connectors()) {
      all.add(
          new DisplayInfo(
              deviceId, connector, scanout.map(tells -> status(open, tells, connector.id()))));
    }
    return all;
  }

  public List<DisplayMode> modes(int connector) {
    return call("modes", (open, display) -> display.modes(connector));
  }

  public ScanoutStatus status(int connector) {
    return call("status", (open, display) -> status(open, scanout(open), connector));
  }

  private ScanoutStatus status(OpenDevice open, Scanout scanout, int connector) {
    ScanoutStatus told = scanout.status(connector);
    return keep(open, () -> screens.saw(connector, told));
  }

  public void setMode(int connector, DisplayMode mode) {
    change("mode", connector, display -> display.setMode(connector, mode), s -> s.with(mode));
  }

  public void setDpms(int connector, DpmsState state) {
    change("dpms", connector, display -> display.setDpms(connector, state), s -> s.with(state));
  }

  public void setVariableRefresh(int connector, boolean enabled) {
    change(
        "variable refresh",
        connector,
        display -> display.setVariableRefresh(connector, enabled),
        state -> state.withVariableRefresh(enabled));
  }

  public void setCursor(int connector, ScreenState.Cursor cursor) {
    change(
        "cursor",
        connector,
        display -> cursor.show(display, connector),
        state -> state.withCursor(Optional.of(cursor)));
  }

  public void hideCursor(int connector) {
    change(
        "cursor",
        connector,
        display -> display.hideCursor(connector),
        state -> state.withCursor(Optional.empty()));
  }

  private void change(
      String what, int connector, Consumer<Display> asked, UnaryOperator<ScreenState> kept) {
    boolean ignored =
        call(
            what,
            (open, display) -> {
              asked.accept(display);
              return keep(
                  open,
                  () -> {
                    screens.changed(connector, kept);
                    return true;
                  });
            });
  }

  public ShownMemory framebuffer(
      String tenant, DeviceMemory memory, int width, int height, PixelFormat format) {
    ShownMemory frame = frames.create(tenant, memory, width, height, format);
    boolean made = false;
    try {
      OpenDevice open = occupancy.device();
      open.lane()
          .run(
              "framebuffer",
              () -> of(open).createFramebuffer(frame.id(), memory.id, width, height, format));
      made =
          keep(
              open,
              () -> {
                frames.add(frame);
                return true;
              });
      return frame;
    } finally {
      if (!made) {
        frames.cancel(frame);
      }
    }
  }

  /** Ids of framebuffers whose memory is gone can be taken again. */
  public void prune() {
    frames.prune();
  }

  /**
   * @return the core's point
   */
  public long flip(int connector, ShownMemory frame) {
    if (!frames.has(frame)) {
      throw new AccelException(Errno.ESTALE, deviceId + ": flip: the framebuffer's memory is gone");
    }
    return call(
        "flip",
        (open, display) -> {
          long told = display.flip(connector, frame.id());
          return keep(open, () -> screens.flipped(connector, told, frame));
        });
  }

  /** How a flip ended, as {@link ScreenAwaiting} returns it; empty while it waits. */
  OptionalInt outcome(int connector, long point) {
    return screens.outcome(connector, point);
  }

  public Picture capture(int connector) {
    OpenDevice open = occupancy.device();
    Picture read =
        ScreenCapture.read(
            deviceId,
            (first, count) ->
                open.lane().call("capture", () -> scanout(open).read(connector, first, count)),
            System::nanoTime);
    return read.at(keep(open, () -> screens.saw(connector, read.point())));
  }

  /** What was set and shown comes back on a device that has just been opened. */
  public void rebuild(OpenDevice opened) {
    Map<Integer, ScreenState> states = screens.interrupt();
    List<ShownMemory> all = frames.list();
    if (!states.isEmpty() || !all.isEmpty()) {
      DisplayRebuild work = new DisplayRebuild(deviceId, opened);
      DisplayRebuild.Outcome outcome =
          opened.lane().call("rebuild display", () -> work.rebuild(all, states));
      outcome.refused().forEach(frames::drop);
      screens.rebuilt(outcome);
    }
  }

  /** No device follows. */
  public void lose() {
    frames.clear();
    screens.lose();
  }

  /** Unless the device has been taken away: the next one would not have it. */
  private <T> T keep(OpenDevice open, Supplier<T> change) {
    AtomicReference<T> result = new AtomicReference<>();
    if (!occupancy.whileOpen(open, () -> result.set(change.get()))) {
      throw new AccelException(Errno.EINTR, deviceId + ": the device recovers; try again");
    }
    return result.get();
  }

  private static Display of(OpenDevice open) {
    return open.device()
        .extension(Display.class)
        .orElseThrow(() -> new AccelException(Errno.ENOTSUP, "the device has no display"));
  }

  private static Scanout scanout(OpenDevice open) {
    return open.device()
        .extension(Scanout.class)
        .orElseThrow(
            () -> new AccelException(Errno.ENOTSUP, "the driver does not tell what is shown"));
  }
}
