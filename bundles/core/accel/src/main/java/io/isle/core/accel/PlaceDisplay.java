package io.isle.core.accel;

import io.isle.api.accel.AccelAdmin.DisplayInfo;
import io.isle.api.accel.AccelException;
import io.isle.api.accel.Picture;
import io.isle.api.base.Errno;
import io.isle.api.device.DisplayMode;
import io.isle.api.device.DpmsState;
import io.isle.api.device.PixelFormat;
import io.isle.api.device.ScanoutStatus;
import io.isle.api.driver.Display;
import io.isle.api.driver.Scanout;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The screens of one place, which outlive its devices. Thread-safe. */
final class PlaceDisplay {
  private final String deviceId;
  private final Occupancy occupancy;
  private final IdPool ids;
  private final Map<Integer, ScreenHead> heads = new TreeMap<>();
  private final Map<Long, ShownMemory> frames = new LinkedHashMap<>();

  PlaceDisplay(String deviceId, Occupancy occupancy, IdPool ids) {
    this.deviceId = deviceId;
    this.occupancy = occupancy;
    this.ids = ids;
  }

  /** Something that is done on the control lane. */
  interface Call<T> {
    T on(OpenDevice open, Display display);
  }

  /**
   * @throws AccelException ENOTSUP for a device without a display
   */
  <T> T call(String what, Call<T> call) {
    OpenDevice open = occupancy.device();
    return open.lane().call(what, () -> call.on(open, of(open)));
  }

  /** Every connector; none for a device without a display. */
  List<DisplayInfo> infos() {
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
    List<DisplayInfo> all = new ArrayList<>();
    for (var connector : display.connectors()) {
      all.add(
          new DisplayInfo(
              deviceId,
              connector,
              open.device()
                  .extension(Scanout.class)
                  .map(scanout -> seen(connector.id(), scanout.status(connector.id())))));
    }
    return all;
  }

  List<DisplayMode> modes(int connector) {
    return call("modes", (open, display) -> display.modes(connector));
  }

  ScanoutStatus status(int connector) {
    return call("status", (open, display) -> seen(connector, scanout(open).status(connector)));
  }

  /** With the core's point. */
  private synchronized ScanoutStatus seen(int connector, ScanoutStatus told) {
    ScreenHead head = heads.get(connector);
    return told.at(head == null ? 0 : head.saw(told.point()));
  }

  void setMode(int connector, DisplayMode mode) {
    run(
        "mode",
        connector,
        display -> display.setMode(connector, mode),
        head -> {
          head.mode = mode;
          if (head.shown != null
              && (head.shown.width() != mode.width() || head.shown.height() != mode.height())) {
            head.shown = null;
          }
        });
  }

  void setDpms(int connector, DpmsState state) {
    run("dpms", connector, display -> display.setDpms(connector, state), head -> head.dpms = state);
  }

  void setVariableRefresh(int connector, boolean enabled) {
    run(
        "variable refresh",
        connector,
        display -> display.setVariableRefresh(connector, enabled),
        head -> head.variableRefresh = enabled);
  }

  void setCursor(int connector, ScreenHead.Cursor cursor) {
    run(
        "cursor",
        connector,
        display -> cursor.show(display, connector),
        head -> head.cursor = cursor);
  }

  void hideCursor(int connector) {
    run("cursor", connector, display -> display.hideCursor(connector), head -> head.cursor = null);
  }

  private void run(
      String what, int connector, Consumer<Display> change, Consumer<ScreenHead> kept) {
    boolean ignored =
        call(
            what,
            (open, display) -> {
              change.accept(display);
              return keep(
                  open,
                  () -> {
                    kept.accept(head(connector));
                    return true;
                  });
            });
  }

  ShownMemory framebuffer(DeviceMemory memory, int width, int height, PixelFormat format) {
    prune();
    ShownMemory frame = new ShownMemory(ids.take(), memory, width, height, format);
    boolean made = false;
    try {
      made =
          call(
              "framebuffer",
              (open, display) -> {
                display.createFramebuffer(frame.id(), memory.id, width, height, format);
                return keep(open, () -> frames.put(frame.id(), frame) == null);
              });
      return frame;
    } finally {
      if (!made) {
        ids.give(frame.id());
      }
    }
  }

  /**
   * @return the core's point
   */
  long flip(int connector, ShownMemory frame) {
    synchronized (this) {
      if (frames.get(frame.id()) != frame || frame.isGone()) {
        throw new AccelException(
            Errno.ESTALE, deviceId + ": flip: the framebuffer's memory is gone");
      }
    }
    return call(
        "flip",
        (open, display) -> {
          long told = display.flip(connector, frame.id());
          return keep(open, () -> head(connector).flipped(told, frame));
        });
  }

  /** How a flip ended, as {@link ScreenAwaiting} returns it; empty while it waits. */
  synchronized OptionalInt outcome(int connector, long point) {
    ScreenHead head = heads.get(connector);
    if (head == null || !head.knows(point)) {
      return OptionalInt.of(-Errno.EINVAL);
    }
    if (!head.isReached(point)) {
      return OptionalInt.empty();
    }
    return OptionalInt.of(head.isInterrupted(point) ? -Errno.EINTR : 0);
  }

  Picture capture(int connector) {
    OpenDevice open = occupancy.device();
    Picture read =
        ScreenCapture.read(
            deviceId,
            (first, count) ->
                open.lane().call("capture", () -> scanout(open).read(connector, first, count)));
    synchronized (this) {
      ScreenHead head = heads.get(connector);
      return head == null ? read : read.at(head.saw(read.point()));
    }
  }

  /** What was set and shown comes back on a device that has just been opened. */
  void rebuild(OpenDevice opened) {
    prune();
    List<ShownMemory> made;
    Map<Integer, ScreenHead> set;
    synchronized (this) {
      heads.values().forEach(ScreenHead::interrupt);
      made = List.copyOf(frames.values());
      set = new TreeMap<>(heads);
    }
    if (!set.isEmpty() || !made.isEmpty()) {
      DisplayRebuild work = new DisplayRebuild(deviceId, opened);
      opened.lane().call("rebuild display", () -> work.rebuild(made, set)).forEach(this::forget);
    }
  }

  /** No device follows. */
  synchronized void lose() {
    frames.keySet().forEach(ids::give);
    frames.clear();
    heads.values().forEach(ScreenHead::interrupt);
  }

  private synchronized void forget(ShownMemory frame) {
    if (frames.remove(frame.id()) != null) {
      ids.give(frame.id());
    }
  }

  private synchronized void prune() {
    for (Iterator<ShownMemory> all = frames.values().iterator(); all.hasNext(); ) {
      ShownMemory frame = all.next();
      if (frame.isGone()) {
        all.remove();
        ids.give(frame.id());
      }
    }
  }

  private ScreenHead head(int connector) {
    return heads.computeIfAbsent(connector, id -> new ScreenHead());
  }

  /** Unless the device has been taken away: the next one would not have it. */
  private <T> T keep(OpenDevice open, Supplier<T> change) {
    List<T> result = new ArrayList<>();
    boolean there =
        occupancy.whileOpen(
            open,
            () -> {
              synchronized (this) {
                result.add(change.get());
              }
            });
    if (!there) {
      throw new AccelException(Errno.EINTR, "the device recovers; try again");
    }
    return result.getFirst();
  }

  private Display of(OpenDevice open) {
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
